// A question-answering arm: LSTM, BERT from scratch, or BERT that starts from a pretraining record.
#include "core/error.h"
#include "experiment/arm_work.h"

namespace minibert {
namespace {

int64_t parameter_count(const torch::nn::Module& module) {
  int64_t count = 0;
  for (const auto& value : module.parameters())
    if (value.requires_grad()) count += value.numel();
  return count;
}

ModelConfig arm_model(const ArmConfig& arm, const Tokenizer& tokenizer, const RunRecord* start) {
  nlohmann::json model = start ? start->config.at("model") : nlohmann::json::object();
  model.erase("vocab_size");
  if (!arm.model.is_null()) model.merge_patch(arm.model);
  ConfigReader reader(model, "arm " + arm.name, "model");
  return read_model_config(reader, tokenizer.size());
}

class QaArm : public ArmWork {
 public:
  QaArm(const ArmConfig& arm, const ModelConfig& model, const QaSplits& splits,
        const Compute& compute, int64_t seed, const RunRecord* start)
      : arm_(arm), config_(model), model_(model), splits_(splits), compute_(compute) {
    model_.initialize(static_cast<uint64_t>(seed));
    if (start) load_weights(model_.module(), start->weights, "bert.", arm.init_from);
    model_.set_compute_type(compute.type);
    model_.module().to(compute.device);
    task_ = std::make_unique<QaTask>(model_, splits.train, splits.dev, arm.qa, arm.train,
                                     compute.device, static_cast<uint64_t>(seed));
  }

  Task& task() override { return *task_; }
  nlohmann::json model_config() const override { return to_json(config_); }

  void evaluate(RunRecord* record) override {
    torch::NoGradGuard no_grad;
    model_.module().eval();
    QaEvaluation result = evaluate_questions(model_, *splits_.test, arm_.qa, compute_.device);
    for (const auto& [name, value] : result.metrics) record->summary[name] = value;
    record->summary["parameters"] = static_cast<double>(parameter_count(model_.module()));
    record->summary["ms_per_question"] =
        milliseconds_per_question(model_, *splits_.test, arm_.qa, compute_.device);
    record->summary["training_windows"] = static_cast<double>(task_->training_windows());
    record->summary["training_questions_discarded"] = static_cast<double>(task_->discarded());
    Predictions& predictions = record->predictions.emplace();
    predictions.id = std::move(result.id);
    predictions.texts = {{"gold", std::move(result.gold)}, {"prediction", std::move(result.text)}};
    predictions.numbers = {{"score", std::move(result.probability)},
                           {"exact_match", std::move(result.exact_match)},
                           {"f1", std::move(result.f1)}};
  }

 private:
  ArmConfig arm_;
  ModelConfig config_;
  QaModel model_;
  QaSplits splits_;
  Compute compute_;
  std::unique_ptr<QaTask> task_;
};

}  // namespace

std::unique_ptr<ArmWork> make_qa_arm(const ArmConfig& arm, const Tokenizer& tokenizer,
                                     const QaSplits& splits, const Compute& compute, int64_t seed) {
  if (arm.init_from.empty())
    return std::make_unique<QaArm>(arm, arm_model(arm, tokenizer, nullptr), splits, compute, seed,
                                   nullptr);
  const RunRecord start = load_record(arm.init_from);
  if (!start.config.contains("model"))
    throw Error(arm.init_from + ": /config: has no \"model\", expected a pretraining run");
  if (start.tokenizer_model != tokenizer.bytes())
    throw usage_error("arm " + arm.name + ": init_from: " + arm.init_from +
                      " was trained with another tokenizer, expected the experiment's (set "
                      "tokenizer.run to this record)");
  return std::make_unique<QaArm>(arm, arm_model(arm, tokenizer, &start), splits, compute, seed,
                                 &start);
}

}  // namespace minibert

// A pretraining arm: masked LM and the sentence task on text.
#include <cmath>

#include "core/error.h"
#include "experiment/arm_work.h"
#include "train/pretrain_task.h"

namespace minibert {
namespace {

// Natural logarithm of every piece's share of the text, with one count added to each.
std::vector<double> log_unigram(const InstanceFile& file) {
  std::vector<double> counts(static_cast<size_t>(file.vocabulary()), 1.0);
  double total = static_cast<double>(counts.size());
  for (size_t i = 0; i < file.size(); ++i)
    for (const uint16_t piece : file.pieces(i)) {
      if (piece < kFirstOrdinaryPiece && piece != kUnk) continue;
      ++counts[piece];
      ++total;
    }
  for (double& count : counts) count = std::log(count / total);
  return counts;
}

class PretrainArm : public ArmWork {
 public:
  PretrainArm(const ArmConfig& arm, const ModelConfig& model, const ExperimentConfig& experiment,
              std::vector<PretrainPhase> phases, std::shared_ptr<const InstanceFile> dev,
              const Compute& compute, int64_t seed)
      : config_(model),
        mask_(experiment.instances.mask),
        dev_(dev),
        compute_(compute),
        model_(model.bert, BertImpl::kPretraining) {
    model_->initialize(static_cast<uint64_t>(seed));
    if (model.bert.mlm_bias) model_->set_output_bias(log_unigram(*phases.front().instances));
    model_->set_compute_type(compute.type);
    model_->to(compute.device);
    task_ = std::make_unique<PretrainTask>(model_, std::move(phases), std::move(dev), mask_,
                                           arm.train.nsp_weight, compute.device,
                                           static_cast<uint64_t>(seed));
  }

  Task& task() override { return *task_; }
  nlohmann::json model_config() const override { return to_json(config_); }

  void evaluate(RunRecord* record) override {
    model_->eval();
    for (const auto& [name, value] :
         evaluate_pretraining(model_, *dev_, mask_, kEvaluationMaskSeed, compute_.device))
      record->summary[name] = value;
    int64_t parameters = 0;
    for (const auto& value : model_->parameters()) parameters += value.numel();
    record->summary["parameters"] = static_cast<double>(parameters);
  }

 private:
  ModelConfig config_;
  MaskSettings mask_;
  std::shared_ptr<const InstanceFile> dev_;
  Compute compute_;
  Bert model_;
  std::unique_ptr<PretrainTask> task_;
};

}  // namespace

std::unique_ptr<ArmWork> make_pretrain_arm(
    const ArmConfig& arm, const ExperimentConfig& experiment, const Tokenizer& tokenizer,
    const std::function<std::shared_ptr<const InstanceFile>(int64_t n_seq)>& instances,
    std::shared_ptr<const InstanceFile> dev, const Compute& compute, int64_t seed) {
  ConfigReader reader(arm.model, "arm " + arm.name, "model");
  const ModelConfig model = read_model_config(reader, tokenizer.size());
  std::vector<PretrainPhase> phases;
  const MaskSettings mask = experiment.instances.mask;
  for (const TrainPhase& phase : arm.train.phases) {
    MaskSettings own = mask;
    if (phase.mask_probability > 0) own.probability = phase.mask_probability;
    if (experiment.instances.masking == Masking::fixed &&
        (own.probability != mask.probability || phase.single_piece_share > 0))
      throw usage_error("arm " + arm.name +
                        ": train.phases: found mask_probability or single_piece_share, expected "
                        "neither with static masks (instances.masking)");
    phases.push_back(
        {instances(phase.n_seq), own, phase.epochs, phase.batch_size, phase.single_piece_share});
  }
  if (phases.empty())
    phases.push_back({instances(experiment.instances.sequence_length), mask, arm.train.epochs,
                      arm.train.batch_size});
  return std::make_unique<PretrainArm>(arm, model, experiment, std::move(phases), std::move(dev),
                                       compute, seed);
}

}  // namespace minibert

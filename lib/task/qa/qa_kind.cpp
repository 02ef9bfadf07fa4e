#include "task/qa/qa_kind.h"

#include "core/error.h"
#include "rules/question_overlap.h"
#include "task/qa/qa_data.h"
#include "task/qa/qa_fields.h"
#include "task/qa/qa_floor.h"
#include "task/qa/qa_task.h"
#include "task/trained_arm.h"
#include "task/weights.h"

namespace minibert {
namespace {

constexpr Measure kAnswerMeasures[] = {
    {"exact_match", "EM", 2, Better::higher, Resampled::mean, 100},
    {"f1", "F1", 2, Better::higher, Resampled::mean, 100},
    {"start_accuracy", "start acc", 4, Better::higher},
    {"end_accuracy", "end acc", 4, Better::higher},
    {.name = "start_end_accuracy",
     .heading = "start + end acc",
     .decimals = 4,
     .better = Better::higher,
     .in_table = false},
    {"course_start_accuracy", "course start acc", 4, Better::higher},
    {"course_end_accuracy", "course end acc", 4, Better::higher},
    {.name = "loss", .heading = "loss", .decimals = 4, .better = Better::lower, .in_table = false},
    {.name = "questions",
     .heading = "questions",
     .decimals = -1,
     .better = Better::neither,
     .in_table = false},
    {.name = "training_windows",
     .heading = "training windows",
     .decimals = -1,
     .better = Better::neither,
     .in_table = false},
    {.name = "training_questions_discarded",
     .heading = "questions discarded",
     .decimals = -1,
     .better = Better::neither,
     .in_table = false},
};

// An arm's "model": an encoder, and how many answer lengths its span head counts.
struct QaModelConfig {
  ModelConfig encoder;
  QaHeadConfig head;
};

QaModelConfig read_qa_model(ConfigReader& reader, int64_t vocab_size) {
  QaModelConfig config{read_model_config(reader, vocab_size), {}};
  read_fields(reader, config.head);
  reader.finish();
  return config;
}

// The model of an arm with these features: overlap is told by two more segments.
QaModelConfig read_qa_model(ConfigReader& reader, int64_t vocab_size, const QaSettings& settings) {
  QaModelConfig config = read_qa_model(reader, vocab_size);
  if (!settings.features.overlap) return config;
  const auto with_overlap = config.encoder.with_segments(kOverlapSegments);
  if (!with_overlap)
    reader.fail("kind", "found \"" + config.encoder.kind() +
                            "\", expected bert or lstm with features.overlap");
  config.encoder = *with_overlap;
  return config;
}

nlohmann::json to_json(const QaModelConfig& config) {
  nlohmann::json json = to_json(config.encoder);
  json.update(written_fields(config.head));
  return json;
}

class QaArm : public TrainedArm<QaModelConfig, QaData, QaModel, QaTask> {
 public:
  QaArm(const ArmRequest& request, QaData& data) : TrainedArm(request, data) {
    const Start start(request, data.tokenizer());
    ConfigReader reader = start.model_reader();
    config_ = read_qa_model(reader, data.tokenizer().size(), settings());
    model_ = std::make_shared<QaModel>(config_.encoder, config_.head.answer_lengths);
    model_->initialize(seed());
    put_to_work(start);
  }

  Evaluation evaluate(Split split, Workers* workers) override {
    torch::NoGradGuard no_grad;
    model_->eval();
    const auto questions = data_.questions(split, settings().features);
    Evaluation out = evaluate_questions(*model_, *questions, settings(), device(), workers);
    if (workers != nullptr && workers->rank() > 0)
      return out;  // one measures time, the others rest
    if (const QaTask* trained = made_task()) {
      out.metrics["ms_per_question"] =
          milliseconds_per_question(*model_, *questions, settings(), device());
      out.metrics["training_windows"] = static_cast<double>(trained->training_windows());
      out.metrics["training_questions_discarded"] = static_cast<double>(trained->discarded());
    }
    return out;
  }

 protected:
  std::unique_ptr<QaTask> make_task() override {
    return std::make_unique<QaTask>(model_, data_.questions(Split::train, settings().features),
                                    data_.questions(request_.dev, settings().features), settings(),
                                    request_.config.train, device(), seed());
  }

 private:
  const QaSettings& settings() const { return as<QaSettings>(*request_.config.settings); }
};

}  // namespace

std::span<const Measure> QaKind::measures() const { return kAnswerMeasures; }

std::shared_ptr<const TaskSettings> QaKind::read(ConfigReader& experiment) const {
  return std::make_shared<QaSettings>(read_qa_settings(experiment.object("features"), {}));
}

std::shared_ptr<const TaskSettings> QaKind::read_arm(const ArmReaders& readers,
                                                     const TaskSettings& experiment) const {
  auto settings = std::make_shared<QaSettings>(
      read_qa_settings(readers.arm.object("features"), as<QaSettings>(experiment)));
  pass_over_pretraining_keys(readers.train, name());
  if (readers.model == nullptr || is_qa_floor(readers.model->node(), readers.model->file()))
    return settings;
  const QaModelConfig model = read_qa_model(*readers.model, readers.vocab_size, *settings);
  check_length(settings->features.max_length, model.encoder, *readers.model);
  return settings;
}

void QaKind::write(const TaskSettings&, nlohmann::json*) const {
  // Every arm's own "features" are complete.
}

void QaKind::write_arm(const TaskSettings& arm, nlohmann::json* json) const {
  (*json)["features"] = to_json(as<QaSettings>(arm));
}

std::unique_ptr<TaskData> QaKind::load(const LoadRequest& request) const {
  return std::make_unique<QaData>(request);
}

std::unique_ptr<Arm> QaKind::make_arm(const ArmRequest& request, TaskData& data) const {
  auto& questions = dynamic_cast<QaData&>(data);
  if (is_qa_floor(request.config.model, "arm " + request.config.name))
    return make_qa_floor(request.config.model.at("kind").get<std::string>(), questions);
  return std::make_unique<QaArm>(request, questions);
}

StoredQa load_qa(const RunRecord& record, const std::string& file) {
  const StoredHead stored = stored_head(record, file, QaKind());
  ConfigReader reader = stored.reader();
  const QaModelConfig config = read_qa_model(reader, stored.vocab_size);
  StoredQa out{std::make_shared<QaModel>(config.encoder, config.head.answer_lengths),
               read_qa_settings(ConfigReader(stored.features, file, "features"), {})};
  load_weights(*out.model, record.weights, file);
  out.model->eval();
  return out;
}

}  // namespace minibert

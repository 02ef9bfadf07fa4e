#include "task/qa/qa_kind.h"

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"
#include "export/answer_agreement.h"
#include "infer/answerer.h"
#include "infer/format/mbq_format.h"
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
    on_card(right({"exact_match", "EM", 2, Better::higher, Resampled::mean, 100}, "score")),
    on_card({"f1", "F1", 2, Better::higher, Resampled::mean, 100}),
    {"start_accuracy", "start acc", 4, Better::higher},
    {"end_accuracy", "end acc", 4, Better::higher},
    hidden("start_end_accuracy", "start acc + end acc (0 to 2)", Better::higher),
    {"course_start_accuracy", "course start acc", 4, Better::higher},
    {"course_end_accuracy", "course end acc", 4, Better::higher},
    hidden("loss", "loss", Better::lower),
    hidden("start_loss", "start loss", Better::lower),
    hidden("end_loss", "end loss", Better::lower),
    hidden("questions", "questions", Better::neither, -1),
    hidden("training_windows", "training windows", Better::neither, -1),
    hidden("training_questions_discarded", "questions discarded", Better::neither, -1),
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

// Reads the model of an arm with these features; overlap adds two segments.
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

  nlohmann::ordered_json measure_mbq(const MbqFiles& files, Split split, int threads) override {
    const AnswerAgreement found = measure_answer_agreement(
        files.float32, files.int8, data_.set(split), data_.limit(), threads);
    return {{"questions", found.questions},
            {"float_exact_match", found.float_exact_match},
            {"int8_exact_match", found.int8_exact_match},
            {"float_f1", found.float_f1},
            {"int8_f1", found.int8_f1},
            {"int8_exact_match_as_shown", found.shown_exact_match},
            {"int8_f1_as_shown", found.shown_f1},
            {"sure", found.sure},
            {"sure_elsewhere", found.sure_elsewhere},
            {"sure_exact_match", found.sure_exact_match},
            {"unsure_exact_match", found.unsure_exact_match},
            {"agreement", found.agreement()}};
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

// Code points before byte `offset` of valid UTF-8: KorQuAD counts characters.
uint32_t character_offset(const std::string& text, uint32_t offset) {
  return static_cast<uint32_t>(code_point_offsets(std::string_view(text).substr(0, offset)).size() -
                               1);
}

class StoredAnswerer : public AnswerPredictor {
 public:
  StoredAnswerer(const RunRecord& record, const std::string& file)
      : tokenizer_(Tokenizer::from_bytes(record.tokenizer_model, file)),
        stored_(load_qa(record, file)) {}

  std::vector<infer::Answer> answers(const std::string& question, const std::string& context,
                                     int n_best, LongQuestion long_question) override {
    QaSettings settings = stored_.settings;
    settings.spans.n_best = std::max(settings.spans.n_best, n_best);
    const QaSplit split =
        encode_open_question(context, question, tokenizer_, settings.features, long_question);
    std::vector<infer::Answer> out;
    for (const QaAnswer& one : answer_question(*stored_.model, split, 0, settings, torch::kCPU))
      out.push_back({one.text, one.begin, one.end, character_offset(context, one.begin),
                     character_offset(context, one.end), one.probability});
    if (out.empty()) throw usage_error("the context has no pieces to answer with");
    return out;
  }
  bool reads_whole(const std::string& question) const override {
    return tokenizer_.encode_named(question).size() <=
           static_cast<size_t>(stored_.settings.features.max_question);
  }

 private:
  Tokenizer tokenizer_;
  StoredQa stored_;
};

}  // namespace

HuggingfaceHead QaKind::huggingface_head() const {
  return {"ForQuestionAnswering", {{"qa", "qa_outputs"}}};
}

MbqHead QaKind::mbq_head(const RunRecord& record) const {
  const nlohmann::json features = stored_features(record);
  nlohmann::json answers = to_json(read_qa_settings(ConfigReader(features, "features"), {}));
  answers.erase("training_windows");
  return head_loaded_by<infer::Answerer>(infer::mbq::kAnswers, std::move(answers));
}

std::unique_ptr<Predictor> QaKind::predictor(const RunRecord& record,
                                             const std::string& file) const {
  return std::make_unique<StoredAnswerer>(record, file);
}

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
  const StoredHead stored = stored_head(record, file, QaKind().name());
  ConfigReader reader = stored.reader();
  const QaModelConfig config = read_qa_model(reader, stored.vocab_size);
  StoredQa out{std::make_shared<QaModel>(config.encoder, config.head.answer_lengths),
               read_qa_settings(ConfigReader(stored.features, file, "features"), {})};
  load_weights(*out.model, record.weights, file);
  out.model->eval();
  return out;
}

}  // namespace minibert

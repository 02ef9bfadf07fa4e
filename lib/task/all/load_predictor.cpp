#include "task/all/load_predictor.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "export/mbq_export.h"
#include "infer/intervene.h"
#include "infer/tagger.h"
#include "task/all/export_run.h"
#include "task/all/registry.h"

namespace minibert {
namespace {

void check(const infer::Status& status) {
  if (!status.ok()) throw usage_error(status.message());
}

// A model file by the engine.
template <class Engine>
class Loaded {
 public:
  explicit Loaded(const std::string& path) : file_(load_or_export(path)) {
    const infer::Status loaded = model.load(file_.span());
    if (!loaded.ok()) throw usage_error(path + ": " + loaded.message());
  }

 private:
  AlignedBytes file_;

 public:
  Engine model;
};

class LabelsByEngine : public LabelPredictor {
 public:
  explicit LabelsByEngine(const std::string& path) : engine_(path) {}
  std::optional<bool> reads_pairs() const override {
    return engine_.model.model().config().classifies->pairs;
  }
  infer::ClassifyResult labels(const std::string& text, const std::string& second,
                               bool words) override {
    infer::ClassifyResult result;
    check(engine_.model.classify(text, second, words, &result));
    return result;
  }

 private:
  Loaded<infer::Classifier> engine_;
};

class NamesByEngine : public NamePredictor {
 public:
  explicit NamesByEngine(const std::string& path) : engine_(path) {}
  std::vector<FoundName> names(const std::string& text) override {
    infer::TagResult result;
    check(engine_.model.tag(text, &result, infer::NamesOf::whole_words));
    std::vector<FoundName> out;
    for (const infer::NamedEntity& one : result.entities)
      out.push_back({one.type, one.first, one.last, one.probability});
    return out;
  }

 private:
  Loaded<infer::Tagger> engine_;
};

class AnswersByEngine : public AnswerPredictor {
 public:
  explicit AnswersByEngine(const std::string& path) : engine_(path) {}
  std::vector<infer::Answer> answers(const std::string& question, const std::string& context,
                                     int n_best, LongQuestion long_question) override {
    infer::AnswerResult result;
    check(engine_.model.answer(question, context, n_best, &result, long_question));
    return result.answers;
  }
  bool reads_whole(const std::string& question) const override {
    std::vector<infer::Token> pieces;
    check(engine_.model.tokenize(question, &pieces));
    const int most = engine_.model.model().config().answers->features.max_question;
    return pieces.size() <= static_cast<size_t>(most);
  }

 private:
  Loaded<infer::Answerer> engine_;
};

class MasksByEngine : public MaskPredictor {
 public:
  explicit MasksByEngine(const std::string& path) : engine_(path) {}
  infer::FillResult fill(const std::string& text, size_t top_k) override {
    infer::FillResult result;
    check(infer::intervene(engine_.model, text, changes_, swap_));
    check(engine_.model.fill(text, top_k, &result));
    return result;
  }

 private:
  Loaded<infer::FillMask> engine_;
};

// "classification, toy"
std::string tasks_that_predict(Predicts what) {
  std::vector<std::string> names;
  for (const std::string& name : task_names())
    if (task_kind(name).predicts() == what) names.push_back(name);
  return joined(names);
}

// Returns the command for runs of that kind.
const char* command_for(Predicts what) {
  if (what == Predicts::nothing) return "evaluate";
  return what == Predicts::masks ? "fill-mask" : "predict";
}

bool is_known(const std::string& task) {
  const std::vector<std::string> known = task_names();
  return std::ranges::find(known, task) != known.end();
}

template <class Kind, class ByEngine>
std::unique_ptr<Kind> load(const std::string& path, PredictBy by) {
  if (by == PredictBy::engine || is_model_file(path)) return std::make_unique<ByEngine>(path);
  const RunRecord record = load_record(path);
  const std::string task = record.config.value("task", "");
  if (!is_known(task) || task_kind(task).predicts() != Kind::kPredicts)
    throw usage_error(path + ": /config: task: found \"" + task + "\", expected " +
                      tasks_that_predict(Kind::kPredicts) +
                      (is_known(task) ? std::string("; this run is for the command ") +
                                            command_for(task_kind(task).predicts())
                                      : ""));
  auto predictor = task_kind(task).predictor(record, path);
  Kind& found = dynamic_cast<Kind&>(*predictor);
  predictor.release();
  return std::unique_ptr<Kind>(&found);
}

}  // namespace

Predicts read_prediction_kind(const std::string& path) {
  if (!is_model_file(path)) {
    const std::string task = load_record(path, Load::summary).config.value("task", "");
    return is_known(task) ? task_kind(task).predicts() : Predicts::nothing;
  }
  const Loaded<infer::Model> file(path);
  const infer::ModelConfig& config = file.model.config();
  return config.answers      ? Predicts::answers
         : config.classifies ? Predicts::labels
         : config.tags       ? Predicts::names
                             : Predicts::masks;
}

std::vector<double> LabelPredictor::choose(const std::string&, const std::vector<std::string>&) {
  throw usage_error("found a model that labels texts, expected one that chooses");
}

double LabelPredictor::number(const std::string&, const std::string&) {
  throw usage_error("found a run that labels texts, expected one that gives them numbers");
}

template <>
std::unique_ptr<LabelPredictor> load_predictor(const std::string& path, PredictBy by) {
  return load<LabelPredictor, LabelsByEngine>(path, by);
}
template <>
std::unique_ptr<NamePredictor> load_predictor(const std::string& path, PredictBy by) {
  return load<NamePredictor, NamesByEngine>(path, by);
}
template <>
std::unique_ptr<AnswerPredictor> load_predictor(const std::string& path, PredictBy by) {
  return load<AnswerPredictor, AnswersByEngine>(path, by);
}
template <>
std::unique_ptr<MaskPredictor> load_predictor(const std::string& path, PredictBy by) {
  return load<MaskPredictor, MasksByEngine>(path, by);
}

}  // namespace minibert

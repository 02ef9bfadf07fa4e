#include "task/sequence/sequence_kind.h"

#include "core/error.h"
#include "task/floor.h"
#include "task/sequence/sequence_task.h"
#include "task/start.h"
#include "task/weights.h"

namespace minibert {
namespace {

constexpr Measure kExamples = {.name = "examples",
                               .heading = "examples",
                               .decimals = -1,
                               .better = Better::neither,
                               .in_table = false};
constexpr Measure kLabelMeasures[] = {
    {"accuracy", "accuracy", 4, Better::higher, Resampled::mean},
    {"macro_f1", "macro-F1", 4, Better::higher, Resampled::macro_f1},
    {"matthews", "Matthews", 4, Better::higher, Resampled::matthews},
    {.name = "loss", .heading = "loss", .decimals = 4, .better = Better::lower, .in_table = false},
    kExamples,
};
constexpr Measure kNumberMeasures[] = {
    {"pearson", "Pearson", 4, Better::higher, Resampled::pearson},
    {"spearman", "Spearman", 4, Better::higher, Resampled::spearman},
    {"squared_error", "squared error", 4, Better::lower},
    kExamples,
};
constexpr Measure kChoiceMeasures[] = {
    {"accuracy", "accuracy", 4, Better::higher, Resampled::mean},
    {.name = "loss", .heading = "loss", .decimals = 4, .better = Better::lower, .in_table = false},
    kExamples,
};

// An arm's "model": an encoder's keys, its head's, and of a stored run the labels.
struct SequenceModelConfig {
  ModelConfig encoder;
  SequenceHeadConfig head;
  std::vector<std::string> labels;
};

SequenceModelConfig read_sequence_model(ConfigReader& reader, int64_t vocab_size) {
  SequenceModelConfig config;
  config.encoder = read_model_config(reader, vocab_size);
  config.head.pooling = reader.choice("pooling", {"cls", "mean"}, config.head.pooling);
  config.head.dropout = reader.number("head_dropout", 0, 0.9, config.head.dropout);
  config.labels = reader.strings("labels");
  reader.finish();
  return config;
}

nlohmann::json to_json(const SequenceModelConfig& config) {
  nlohmann::json json = to_json(config.encoder);
  json["pooling"] = config.head.pooling;
  json["head_dropout"] = config.head.dropout;
  json["labels"] = config.labels;
  return json;
}

// Labels that do not fit are told before training, by file and line.
void check_labels(const SequenceData& data, const SequenceObjective& objective) {
  for (const Split split : {Split::train, Split::dev, Split::test}) {
    SequenceSplit labels;
    for (const LabelledExample& example : data.examples_of(split)) {
      labels.ids.push_back(example.where);
      labels.gold.push_back(example.label);
      labels.rows_per_example = static_cast<int64_t>(example.choices.size());
    }
    // A stored model that is measured has labels of its own.
    if (!data.examples_of(Split::train).empty()) objective.targets(labels, data.labels());
  }
}

class SequenceArm : public Arm {
 public:
  SequenceArm(const ArmRequest& request, SequenceData& data, const SequenceObjective& objective)
      : request_(request),
        arm_(request.config),
        data_(data),
        objective_(objective),
        start_(request, data.tokenizer()),
        config_([&] {
          ConfigReader reader = start_.model_reader();
          return read_sequence_model(reader, data.tokenizer().size());
        }()) {
    if (request.stored == nullptr) {
      config_.labels = data.labels();
      check_length(data.max_length(), config_.encoder, start_.model_reader());
    }
    model_ = std::make_shared<SequenceModel>(config_.encoder, config_.head,
                                             objective_.outputs(config_.labels));
    model_->initialize(static_cast<uint64_t>(request.seed));
    // The sentence task trained a pooler of the same shape.
    start_.load(*model_, {{"nsp.dense.", "sequence.dense."}});
    model_->encoder().set_compute_type(request.compute.type);
    model_->to(request.compute.device);
  }

  Task& task() override {
    if (!task_)
      task_ = std::make_unique<SequenceTask>(
          model_, data_.split(Split::train), data_.split(request_.dev), objective_, config_.labels,
          arm_.train, request_.compute.device, static_cast<uint64_t>(request_.seed));
    return *task_;
  }
  torch::nn::Module& module() override { return *model_; }
  torch::ScalarType compute_type() const override { return model_->encoder().compute_type(); }
  nlohmann::json model_config() const override { return to_json(config_); }
  Evaluation evaluate(Split split, Workers* workers) override {
    const auto examples = data_.split(split);
    return objective_.score(*examples, config_.labels,
                            outputs_of(*model_, *examples, request_.compute.device, workers));
  }

 private:
  ArmRequest request_;
  ArmConfig arm_;
  SequenceData& data_;
  const SequenceObjective& objective_;
  Start start_;
  SequenceModelConfig config_;
  std::shared_ptr<SequenceModel> model_;
  std::unique_ptr<SequenceTask> task_;
};

class MajorityArm : public Arm {
 public:
  MajorityArm(SequenceData& data, const SequenceObjective& objective)
      : data_(data), objective_(objective) {}

  Task& task() override { return task_; }
  torch::nn::Module& module() override { return task_.module(); }
  nlohmann::json model_config() const override { return {{"kind", kMajority}}; }
  Evaluation evaluate(Split split, Workers*) override {
    const std::vector<std::string>& labels = data_.labels();
    const auto train = data_.split(Split::train), examples = data_.split(split);
    const torch::Tensor one = objective_.most_frequent(
        objective_.targets(*train, labels), train->rows_per_example, objective_.outputs(labels));
    const auto count = static_cast<int64_t>(examples->ids.size());
    return objective_.score(*examples, labels, one.repeat({count, 1}));
  }

 private:
  SequenceData& data_;
  const SequenceObjective& objective_;
  UntrainedTask task_;
};

}  // namespace

std::shared_ptr<const TaskSettings> SequenceKind::read(ConfigReader& experiment) const {
  auto settings = std::make_shared<SequenceSettings>();
  ConfigReader features = experiment.object("features");
  settings->max_length =
      static_cast<int>(features.integer("max_length", 8, 4096, settings->max_length));
  settings->train_limit = features.integer("train_limit", 0, INT64_MAX, settings->train_limit);
  features.finish();
  return settings;
}

std::shared_ptr<const TaskSettings> SequenceKind::read_arm(const ArmReaders& readers,
                                                           const TaskSettings& experiment) const {
  pass_over_pretraining_keys(readers.train, name());
  if (readers.model == nullptr || is_floor(kMajority, readers.model->node(), readers.model->file()))
    return std::make_shared<TaskSettings>();
  const SequenceModelConfig model = read_sequence_model(*readers.model, readers.vocab_size);
  check_length(as<SequenceSettings>(experiment).max_length, model.encoder, *readers.model);
  if (!model.labels.empty())
    readers.model->fail("labels", "found a list, expected none: they follow from the data");
  return std::make_shared<TaskSettings>();
}

void SequenceKind::write(const TaskSettings& experiment, nlohmann::json* json) const {
  const auto& settings = as<SequenceSettings>(experiment);
  (*json)["features"] = {{"max_length", settings.max_length},
                         {"train_limit", settings.train_limit}};
}

void SequenceKind::write_arm(const TaskSettings&, nlohmann::json*) const {
  // An arm has no keys of its own.
}

std::unique_ptr<TaskData> SequenceKind::load(const LoadRequest& request) const {
  auto data = std::make_unique<SequenceData>(request, choices_);
  if (request.data.own) check_labels(*data, objective_);
  return data;
}

std::unique_ptr<Arm> SequenceKind::make_arm(const ArmRequest& request, TaskData& data) const {
  auto& examples = dynamic_cast<SequenceData&>(data);
  if (is_floor(kMajority, request.config.model, "arm " + request.config.name))
    return std::make_unique<MajorityArm>(examples, objective_);
  return std::make_unique<SequenceArm>(request, examples, objective_);
}

const SequenceKind& classification_kind() {
  static const LabelObjective objective;
  static const SequenceKind kind("classification", kLabelMeasures, objective, false);
  return kind;
}

const SequenceKind& regression_kind() {
  static const NumberObjective objective;
  static const SequenceKind kind("regression", kNumberMeasures, objective, false);
  return kind;
}

const SequenceKind& choice_kind() {
  static const ChoiceObjective objective;
  static const SequenceKind kind("choice", kChoiceMeasures, objective, true);
  return kind;
}

StoredClassifier load_classifier(const RunRecord& record, const std::string& file) {
  const StoredHead stored = stored_head(record, file, classification_kind());
  ConfigReader reader = stored.reader();
  SequenceModelConfig config = read_sequence_model(reader, stored.vocab_size);
  StoredClassifier out{std::make_shared<SequenceModel>(config.encoder, config.head,
                                                       static_cast<int64_t>(config.labels.size())),
                       config.labels, stored.features.value("max_length", 128)};
  load_weights(*out.model, record.weights, file);
  out.model->eval();
  return out;
}

}  // namespace minibert

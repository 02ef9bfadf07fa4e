#include "task/sequence/sequence_kind.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

#include "core/error.h"
#include "export/label_agreement.h"
#include "infer/classifier.h"
#include "infer/format/mbq_format.h"
#include "rules/text_windows.h"
#include "task/floor.h"
#include "task/sequence/sequence_fields.h"
#include "task/sequence/sequence_task.h"
#include "task/trained_arm.h"
#include "task/weights.h"

namespace minibert {
namespace {

constexpr Measure kExamples = hidden("examples", "examples", Better::neither, -1);
constexpr Measure kAccuracy =
    on_card(right({"accuracy", "accuracy", 4, Better::higher, Resampled::mean}, "probability"));
constexpr Measure kLabelMeasures[] = {
    kAccuracy,
    {"macro_f1", "macro-F1", 4, Better::higher, Resampled::macro_f1},
    {"matthews", "Matthews", 4, Better::higher, Resampled::matthews},
    hidden("loss", "loss", Better::lower),
    kExamples,
};
constexpr Measure kLabelSetMeasures[] = {
    {"label_micro_f1", "micro-F1", 4, Better::higher, Resampled::set_micro_f1},
    {"label_macro_f1", "macro-F1", 4, Better::higher, Resampled::set_macro_f1},
    on_card(right({"jaccard", "Jaccard", 4, Better::higher, Resampled::mean})),
    {"subset_accuracy", "exact match", 4, Better::higher, Resampled::mean},
    {"mean_average_precision", "mAP", 4, Better::higher},
    hidden("loss", "loss", Better::lower),
    kExamples,
};
constexpr Measure kNumberMeasures[] = {
    {"pearson", "Pearson", 4, Better::higher, Resampled::pearson},
    {"spearman", "Spearman", 4, Better::higher, Resampled::spearman},
    {"squared_error", "squared error", 4, Better::lower},
    kExamples,
};
constexpr Measure kChoiceMeasures[] = {
    kAccuracy,
    hidden("loss", "loss", Better::lower),
    kExamples,
};

// In the "model" of a stored run alone, beside "labels".
constexpr char kOutputMean[] = "output_mean", kOutputDeviation[] = "output_deviation";

// An arm's "model": the keys of an encoder and of its head; of a stored run also labels and unit.
struct SequenceModelConfig {
  ModelConfig encoder;
  SequenceHeadConfig head;
  std::vector<std::string> labels;
  OutputUnit unit;
};

OutputUnit read_unit(ConfigReader& reader) {
  constexpr double kMost = std::numeric_limits<double>::max();
  OutputUnit unit;
  unit.mean = reader.number(kOutputMean, -kMost, kMost, unit.mean);
  unit.deviation =
      reader.number(kOutputDeviation, std::numeric_limits<double>::min(), kMost, unit.deviation);
  return unit;
}

SequenceModelConfig read_sequence_model(ConfigReader& reader, int64_t vocab_size) {
  SequenceModelConfig config;
  config.encoder = read_model_config(reader, vocab_size);
  read_fields(reader, config.head);
  config.labels = reader.strings("labels");
  config.unit = read_unit(reader);
  reader.finish();
  return config;
}

// Refuses keys that an arm's file must not set: those that follow from the data, and keys of numbers in
// a task without numbers. `said`: the file's "model", with init_from a patch.
void check_own_keys(const SequenceModelConfig& model, bool numbers, ConfigReader said) {
  if (model.head.output_unit != kOneUnit && !numbers)
    said.fail("output_unit", "found \"" + model.head.output_unit +
                                 "\", which is for numbers alone (task regression)");
  if (!model.labels.empty())
    said.fail("labels", "found a list, expected none: they follow from the data");
  for (const char* key : {kOutputMean, kOutputDeviation})
    if (said.has(key)) said.fail(key, "found a number, expected none: it follows from the data");
}

nlohmann::json to_json(const SequenceModelConfig& config) {
  nlohmann::json json = to_json(config.encoder);
  json.update(written_fields(config.head));
  json["labels"] = config.labels;
  if (!config.unit.is_one()) {
    json[kOutputMean] = config.unit.mean;
    json[kOutputDeviation] = config.unit.deviation;
  }
  return json;
}

// Reports labels that do not fit before training, by file and line.
void check_labels(const SequenceData& data, const SequenceObjective& objective) {
  for (const Split split : {Split::train, Split::dev, Split::test}) {
    SequenceSplit labels;
    for (const LabelledExample& example : data.examples_of(split)) {
      labels.ids.push_back(example.id);
      labels.where.push_back(place_of(example));
      labels.gold.push_back(example.label);
      labels.rows_per_example = static_cast<int64_t>(example.choices.size());
    }
    // A stored model that is measured has labels of its own.
    if (!data.examples_of(Split::train).empty()) objective.targets(labels, data.labels());
  }
}

// Equal numbers are counted in ones from their mean.
OutputUnit training_unit(SequenceData& data, const SequenceObjective& objective) {
  const std::vector<double> numbers = objective.targets(*data.split(Split::train), {});
  const auto count = static_cast<double>(numbers.size());
  OutputUnit unit;
  unit.mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  double squares = 0;
  for (const double number : numbers) squares += (number - unit.mean) * (number - unit.mean);
  if (squares > 0) unit.deviation = std::sqrt(squares / count);
  return unit;
}

class SequenceArm
    : public TrainedArm<SequenceModelConfig, SequenceData, SequenceModel, SequenceTask> {
 public:
  // `numbers`: whether it gives a text a number; `task`: its name.
  SequenceArm(const ArmRequest& request, SequenceData& data, const SequenceObjective& objective,
              bool numbers, std::string_view task)
      : TrainedArm(request, data), objective_(objective) {
    Start start(request, data.tokenizer());
    ConfigReader reader = start.model_reader();
    config_ = read_sequence_model(reader, data.tokenizer().size());
    const ArmConfig& arm = request.config;
    if (request.stored == nullptr) {
      // With init_from it is a patch that read_arm() did not see.
      if (arm.model.is_object())
        check_own_keys(config_, numbers, {arm.model, "arm " + arm.name, "model"});
      config_.labels = data.labels();
      check_length(data.max_length(), config_.encoder, reader);
    }
    model_ = std::make_shared<SequenceModel>(config_.encoder, config_.head,
                                             objective_.outputs(config_.labels));
    model_->initialize(seed());
    if (request.stored == nullptr && config_.head.output_unit == kDeviationUnit)
      config_.unit = training_unit(data, objective_);
    model_->set_unit(config_.unit);
    leave_out_output(&start, task);
    if (has_names())
      if (const std::string line = start.match_rows(*model_, infer::mbq::kSequence, config_.labels);
          !line.empty())
        request_.say(line);
    // The sentence task trained a pooler of the same shape.
    put_to_work(start, {{"nsp.dense.", "sequence.dense."}});
  }

  Evaluation evaluate(Split split, Workers* workers) override {
    const auto examples = data_.split(split);
    return objective_.score(*examples, config_.labels,
                            outputs_of(*model_, *examples, device(), workers));
  }

  nlohmann::ordered_json measure_mbq(const MbqFiles& files, Split split, int threads) override {
    std::span<const LabelledExample> examples = data_.examples_of(split);
    examples = examples.first(std::min(examples.size(), data_.limit()));
    const LabelAgreement found =
        measure_label_agreement(files.float32, files.int8, examples, threads);
    return {{"texts", found.texts},
            {"float_accuracy", found.float_accuracy()},
            {"int8_accuracy", found.int8_accuracy()},
            {"agreement", found.agreement()}};
  }

 protected:
  std::unique_ptr<SequenceTask> make_task() override {
    return std::make_unique<SequenceTask>(model_, data_.split(Split::train),
                                          data_.split(request_.dev), objective_, config_.labels,
                                          request_.config.train, device(), seed());
  }

 private:
  // A number and an alternative have no name.
  bool has_names() const { return objective_.names_labels() || objective_.several_labels(); }

  // Leaves out init_from's output layer if its unit differs, or, without names, if it is of another task.
  void leave_out_output(Start* start, std::string_view task) const {
    const RunRecord* from = start->init_from();
    if (from == nullptr) return;
    const std::vector<int64_t> own = {objective_.outputs(config_.labels),
                                      model_->encoder().width()};
    const auto output =
        std::ranges::find(from->weights, infer::mbq::kSequence + ".weight", &NamedTensor::name);
    if (output == from->weights.end()) return;
    const std::string file = named_record(request_.config.init_from, request_.seed);
    if (const std::string learnt = from->config.value("task", ""); !has_names() && learnt != task) {
      start->leave_out(infer::mbq::kSequence + ".");
      request_.say(file + ": the output layer is not loaded: it was trained for the task " +
                   learnt + ", expected " + std::string(task));
      return;
    }
    if (output->shape != own) return;
    ConfigReader stored(from->config.at("model"), file, "model");
    if (read_unit(stored) == config_.unit) return;
    start->leave_out(infer::mbq::kSequence + ".");
    request_.say(file +
                 ": the output layer is not loaded: it has another unit than the arm's "
                 "(model.output_unit)");
  }

  const SequenceObjective& objective_;
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

// From the record's own statistics; for an older record from the registry's entry for its data.
std::optional<bool> trained_on_pairs(const RunRecord& record) {
  const nlohmann::json statistics = record.data.value("statistics", nlohmann::json());
  if (statistics.is_object() && statistics.contains(kPairs)) return statistics.at(kPairs) == true;
  try {
    const Registry registry = Registry::load();
    const auto& table = registry.at(record.data.value("id", "")).table;
    if (table) return !table->pair.empty();
  } catch (const Error&) {
    // The run learnt from labelled files, or the registry is elsewhere.
  }
  return std::nullopt;
}

// A finished run that gives labels, on the CPU in eval mode.
class StoredClassifier : public LabelPredictor {
 public:
  StoredClassifier(const RunRecord& record, const std::string& file, const SequenceKind& kind)
      : tokenizer_(Tokenizer::from_bytes(record.tokenizer_model, file)) {
    const StoredHead stored = stored_head(record, file, kind.name());
    ConfigReader reader = stored.reader();
    SequenceModelConfig config = read_sequence_model(reader, stored.vocab_size);
    labels_ = config.labels;
    several_ = kind.several_labels();
    numbers_ = kind.gives_numbers();
    chooses_ = kind.chooses();
    max_length_ = stored.features.value("max_length", SequenceSettings().max_length);
    pairs_ = trained_on_pairs(record);
    model_ = std::make_shared<SequenceModel>(
        config.encoder, config.head,
        numbers_ || chooses_ ? 1 : static_cast<int64_t>(labels_.size()));
    model_->set_unit(config.unit);
    load_weights(*model_, record.weights, file);
    model_->eval();
  }

  std::optional<bool> reads_pairs() const override { return pairs_; }

  infer::ClassifyResult labels(const std::string& text, const std::string& second,
                               bool words) override {
    if (words) throw usage_error("only the engine computes each word's part");
    const std::vector<int32_t> first = tokenizer_.encode(text), pair = tokenizer_.encode(second);
    const WindowedText input =
        windowed(first, pair, max_length_, tokenizer_.special().cls, tokenizer_.special().sep);
    const torch::Tensor outputs = outputs_of_windows(input);
    const torch::Tensor probability_C =
        (several_ ? outputs.sigmoid() : outputs.softmax(-1)).mean(0).contiguous();
    infer::ClassifyResult result;
    result.several = several_;
    result.pieces = static_cast<uint32_t>(first.size() + pair.size());
    result.read = input.read;
    for (size_t i = 0; i < labels_.size(); ++i)
      result.labels.push_back({labels_[i], probability_C.data_ptr<float>()[i]});
    std::ranges::stable_sort(result.labels, std::greater(), &infer::LabelProbability::probability);
    return result;
  }

  bool gives_numbers() const override { return numbers_; }
  bool chooses() const override { return chooses_; }

  // Each alternative is read with the text as in training, cut where both are long.
  std::vector<double> choose(const std::string& text,
                             const std::vector<std::string>& alternatives) override {
    SequenceSplit split;
    split.rows_per_example = static_cast<int64_t>(alternatives.size());
    for (const std::string& one : alternatives)
      append_row(tokenizer_, text, one, max_length_, &split.rows);
    const torch::Tensor probability =
        outputs_of(*model_, split, torch::kCPU).view(-1).to(torch::kFloat64).softmax(0);
    return {probability.data_ptr<double>(), probability.data_ptr<double>() + probability.numel()};
  }

  // The mean over the windows of a long text.
  double number(const std::string& text, const std::string& second) override {
    const WindowedText input =
        windowed(tokenizer_.encode(text), tokenizer_.encode(second), max_length_,
                 tokenizer_.special().cls, tokenizer_.special().sep);
    return outputs_of_windows(input).mean().item<double>();
  }

 private:
  torch::Tensor outputs_of_windows(const WindowedText& input) {
    SequenceSplit windows;
    for (const TextInputWindow& window : input.windows) {
      windows.ids.push_back(std::to_string(windows.ids.size()));
      windows.rows.ids.push_back(window.ids);
      windows.rows.segments.push_back(window.segments);
    }
    return outputs_of(*model_, windows, torch::kCPU);
  }

  Tokenizer tokenizer_;
  std::shared_ptr<SequenceModel> model_;
  std::vector<std::string> labels_;
  int max_length_;
  bool several_, numbers_, chooses_;
  std::optional<bool> pairs_;
};

}  // namespace

std::string_view SequenceKind::monitor() const {
  if (choices_) return "accuracy";
  if (several_labels()) return "mean_average_precision";
  return gives_numbers() ? "spearman" : "macro_f1";
}

HuggingfaceHead SequenceKind::huggingface_head() const {
  return {"ForSequenceClassification",
          {{"sequence.dense", "bert.pooler.dense"}, {"sequence.output", "classifier"}},
          true};
}

void SequenceKind::fold_output_units(RunRecord* record) const {
  if (!record->config.contains("model")) return;
  nlohmann::json& model = record->config.at("model");
  OutputUnit unit;
  unit.mean = model.value(kOutputMean, unit.mean);
  unit.deviation = model.value(kOutputDeviation, unit.deviation);
  if (unit.is_one()) return;
  for (NamedTensor& tensor : record->weights) {
    const bool bias = tensor.name == infer::mbq::kSequence + ".bias";
    if (!bias && tensor.name != infer::mbq::kSequence + ".weight") continue;
    for (float& value : tensor.values)
      value = static_cast<float>(unit.deviation * double{value} + (bias ? unit.mean : 0));
  }
  for (const char* key : {kOutputMean, kOutputDeviation, "output_unit"}) model.erase(key);
}

MbqHead SequenceKind::mbq_head(const RunRecord& record) const {
  const auto output =
      std::ranges::find(record.weights, infer::mbq::kSequence + ".weight", &NamedTensor::name);
  if (!objective_.names_labels() || (output != record.weights.end() && output->shape.at(0) == 1))
    throw Error("found a model that gives a text one number, expected one that labels it");
  nlohmann::json settings = {
      {"max_length", stored_features(record).value("max_length", nlohmann::json())}};
  if (several_labels()) settings["several"] = true;
  MbqHead head = head_loaded_by<infer::Classifier>(infer::mbq::kClassifies, settings);
  head.pairs = trained_on_pairs(record);
  return head;
}

std::unique_ptr<Predictor> SequenceKind::predictor(const RunRecord& record,
                                                   const std::string& file) const {
  return std::make_unique<StoredClassifier>(record, file, *this);
}

std::shared_ptr<const TaskSettings> SequenceKind::read(ConfigReader& experiment) const {
  auto settings = std::make_shared<SequenceSettings>();
  ConfigReader features = experiment.object("features");
  read_fields(features, *settings);
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
  check_own_keys(model, gives_numbers(), *readers.model);
  return std::make_shared<TaskSettings>();
}

void SequenceKind::write(const TaskSettings& experiment, nlohmann::json* json) const {
  (*json)["features"] = written_fields(as<SequenceSettings>(experiment));
}

std::unique_ptr<TaskData> SequenceKind::load(const LoadRequest& request) const {
  auto data = std::make_unique<SequenceData>(request, choices_,
                                             several_labels()  ? LabelUse::sets
                                             : gives_numbers() ? LabelUse::numbers
                                                               : LabelUse::names);
  if (request.data.source) check_labels(*data, objective_);
  return data;
}

std::unique_ptr<Arm> SequenceKind::make_arm(const ArmRequest& request, TaskData& data) const {
  auto& examples = dynamic_cast<SequenceData&>(data);
  if (is_floor(kMajority, request.config.model, "arm " + request.config.name))
    return std::make_unique<MajorityArm>(examples, objective_);
  return std::make_unique<SequenceArm>(request, examples, objective_, gives_numbers(), name());
}

const SequenceKind& classification_kind() {
  static const SequenceKind kind("classification", kLabelMeasures, label_objective(), false);
  return kind;
}

const SequenceKind& multilabel_kind() {
  static const SequenceKind kind("multilabel", kLabelSetMeasures, label_set_objective(), false);
  return kind;
}

const SequenceKind& regression_kind() {
  static const SequenceKind kind("regression", kNumberMeasures, number_objective(), false);
  return kind;
}

const SequenceKind& choice_kind() {
  static const SequenceKind kind("choice", kChoiceMeasures, choice_objective(), true);
  return kind;
}

}  // namespace minibert

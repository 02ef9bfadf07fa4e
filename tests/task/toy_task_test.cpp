// The six steps of lib/task/README.md for a task of the test's own: does a line of text end with a full
// stop? It is trained, recorded, compared and refused like any other task.
#include <catch2/catch.hpp>

#include "data/questions/splits.h"
#include "experiment/runner.h"
#include "model/encoder.h"
#include "support/scratch.h"
#include "task/start.h"
#include "task/text_rows.h"
#include "text/line_reader.h"
#include "train/batching.h"
#include "train/padding.h"

namespace minibert {
namespace {

// Step 2: measures.
constexpr Measure kMeasures[] = {{"full_stops", "full stops", 3, Better::higher, Resampled::mean}};

// Step 3: settings and data.
struct ToySettings : TaskSettings {
  int64_t lines = 200;
};

struct ToySplit {
  TextRows rows;
  std::vector<float> targets;
};

class ToyData : public TaskData {
 public:
  explicit ToyData(const LoadRequest& request) : tokenizer(request.tokenizer) {
    const TextFiles text = text_files(request.data);
    for (const auto& [split, files] :
         {std::pair{Split::train, text.train}, {Split::dev, text.dev}}) {
      LineReader reader(files.at(0));
      for (std::string line; splits[split].targets.size() <
                                 static_cast<size_t>(as<ToySettings>(request.settings).lines) &&
                             reader.next(&line);) {
        if (line.empty()) continue;
        append_row(tokenizer, line, "", 64, &splits[split].rows);
        const int32_t last =
            splits[split].rows.ids.back()[splits[split].rows.ids.back().size() - 2];
        splits[split].targets.push_back(tokenizer.piece(last).ends_with(".") ? 1 : 0);
      }
    }
  }
  std::map<std::string, size_t> examples() override {
    return {{"train", splits[Split::train].targets.size()},
            {"dev", splits[Split::dev].targets.size()}};
  }
  const Tokenizer& tokenizer;
  std::map<Split, ToySplit> splits;
};

// Step 4: model and training.
struct ToyModel : Model {
  explicit ToyModel(const ModelConfig& config)
      : Model(make_encoder(config)),
        output(register_module("toy", torch::nn::Linear(encoder().width(), 1))) {}
  torch::Tensor logits(const Batch& batch) {
    const auto hidden = encoder().encode(batch.ids, batch.segments);
    return output(encoder().pooled(hidden, batch.ids)).squeeze(-1);
  }
  torch::nn::Linear output{nullptr};
};

class ToyTask : public Task {
 public:
  ToyTask(ToyModel& model, ToyData& data, const TrainConfig& config)
      : model_(model), data_(data), config_(config) {}
  torch::nn::Module& module() override { return model_; }
  int64_t epochs() const override { return config_.epochs; }
  int64_t batch_count(int64_t) override { return static_cast<int64_t>(batches().size()); }
  void begin_epoch(int64_t) override {}
  Batch make_batch(int64_t index, Part part) override {
    const auto all = batches()[static_cast<size_t>(index)];
    const auto indices = examples_of(all, part);
    const ToySplit& train = data_.splits[Split::train];
    Batch batch = batch_of(train.rows, indices);
    std::vector<float> targets;
    for (const uint32_t i : indices) targets.push_back(train.targets[i]);
    batch.targets = {torch::tensor(targets)};
    batch.whole.examples = static_cast<int64_t>(all.size());
    for (const uint32_t i : all)
      batch.whole.tokens += static_cast<int64_t>(train.rows.ids[i].size());
    return batch;
  }
  StepOutput step(const Batch& batch, uint64_t) override {
    StepOutput out;
    const auto loss =
        torch::binary_cross_entropy_with_logits(model_.logits(batch), batch.targets[0]);
    out.loss = share_of(loss, batch.examples, batch.whole.examples);
    out.metrics["loss"] = {loss.detach(), 1};
    return out;
  }
  Metrics evaluate_dev(Workers*) override { return {{"full_stops", right(Split::dev)}}; }
  double right(Split split) {
    torch::NoGradGuard no_grad;
    const ToySplit& examples = data_.splits[split];
    double sum = 0;
    for (uint32_t i = 0; i < examples.targets.size(); ++i)
      sum += (model_.logits(batch_of(examples.rows, {i})).item<float>() > 0) ==
             (examples.targets[i] > 0);
    return sum / static_cast<double>(examples.targets.size());
  }

 private:
  std::vector<std::vector<uint32_t>> batches() const {
    std::vector<uint32_t> lengths;
    for (const auto& row : data_.splits[Split::train].rows.ids)
      lengths.push_back(static_cast<uint32_t>(row.size()));
    return sorted_batches(lengths, config_.batch_size);
  }
  ToyModel& model_;
  ToyData& data_;
  TrainConfig config_;
};

class ToyArm : public Arm {
 public:
  ToyArm(const ArmRequest& request, ToyData& data)
      : start_(request, data.tokenizer), config_(read_model(data)), model_(config_) {
    model_.encoder().initialize(static_cast<uint64_t>(request.seed));
    model_.encoder().initialize_dense(model_.output->weight, 1, "toy.weight");
    start_.load(model_);
    task_ = std::make_unique<ToyTask>(model_, data, request.config.train);
  }
  Task& task() override { return *task_; }
  torch::nn::Module& module() override { return model_; }
  nlohmann::json model_config() const override { return to_json(config_); }
  Evaluation evaluate(Split split, Workers*) override {
    return {{{"full_stops", task_->right(split)}}, std::nullopt};
  }

 private:
  ModelConfig read_model(const ToyData& data) const {
    ConfigReader reader = start_.model_reader();
    return read_model_config(reader, data.tokenizer.size());
  }
  Start start_;
  ModelConfig config_;
  ToyModel model_;
  std::unique_ptr<ToyTask> task_;
};

// Step 5: the kind. (Step 6, the registry's table, is the only one that a test cannot take.)
class ToyKind : public TaskKind {
 public:
  std::string_view name() const override { return "toy"; }
  std::span<const Measure> measures() const override { return kMeasures; }
  Split reported() const override { return Split::dev; }
  bool reads_text() const override { return true; }
  std::shared_ptr<const TaskSettings> read(ConfigReader& experiment) const override {
    auto settings = std::make_shared<ToySettings>();
    settings->lines = experiment.integer("lines", 1, 1000, settings->lines);
    return settings;
  }
  std::shared_ptr<const TaskSettings> read_arm(const ArmReaders& readers,
                                               const TaskSettings&) const override {
    pass_over_pretraining_keys(readers.train, name());
    return std::make_shared<TaskSettings>();
  }
  void write(const TaskSettings& experiment, nlohmann::json* json) const override {
    (*json)["lines"] = as<ToySettings>(experiment).lines;
  }
  void write_arm(const TaskSettings&, nlohmann::json*) const override {}
  std::unique_ptr<TaskData> load(const LoadRequest& request) const override {
    return std::make_unique<ToyData>(request);
  }
  std::unique_ptr<Arm> make_arm(const ArmRequest& request, TaskData& data) const override {
    return std::make_unique<ToyArm>(request, dynamic_cast<ToyData&>(data));
  }
};

}  // namespace

TEST_CASE("a task that only implements TaskKind is trained to a finished record") {
  const ToyKind kind;
  const nlohmann::json file = {{"name", "toy"},
                               {"data", {"sample"}},
                               {"tokenizer", {{"data", {"sample"}}, {"vocab_size", 1500}}},
                               {"seeds", {1}},
                               {"lines", 150},
                               {"arms",
                                {{{"name", "lstm"},
                                  {"model", {{"kind", "lstm"}, {"d_model", 16}}},
                                  {"train",
                                   {{"epochs", 12},
                                    {"batch_size", 8},
                                    {"monitor", "full_stops"},
                                    {"optimizer", {{"lr", 0.01}}}}}}}}};
  const ExperimentConfig experiment = experiment_from_json(file, "toy.json", "quick", kind);
  const testing::Scratch scratch;
  RunOptions options;
  options.results = scratch / "results";
  options.threads = 1;
  options.fetch = false;
  RunListener listener;
  const RunOutcome outcome = run_experiment(experiment, options, listener);
  REQUIRE(outcome.failures.empty());
  const RunRecord record = load_record(outcome.records.at(0));
  CHECK(record.status == "finished");
  CHECK(record.config.at("task") == "toy");
  CHECK(record.config.at("lines") == 150);
  CHECK(record.summary.at("full_stops") > 0.9);
  CHECK(record.selected_by == "best dev full_stops");
  CHECK(record.weights.back().name == "toy.bias");

  nlohmann::json wrong = file;
  wrong["arms"][0]["train"]["monitor"] = "accuracy";
  CHECK_THROWS_WITH(experiment_from_json(wrong, "toy.json", "quick", kind),
                    Catch::Matchers::Contains("monitor: found \"accuracy\", expected one of: none, "
                                              "full_stops"));
}

}  // namespace minibert

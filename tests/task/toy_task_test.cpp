// The seven steps of lib/task/README.md for a task of the test's own: does a line of text end with a full
// stop? It is trained, recorded, checked, measured again, exported, put to use and reported like any other
// task; nothing of lib knows it.
#include <catch2/catch.hpp>
#include <cmath>

#include "data/splits/question_data.h"
#include "experiment/runner.h"
#include "experiment/stored_model.h"
#include "export/label_agreement.h"
#include "infer/classifier.h"
#include "infer/format/mbq_format.h"
#include "model/heads.h"
#include "record/verify.h"
#include "report/report_data.h"
#include "support/scratch.h"
#include "task/all/export_run.h"
#include "task/all/load_predictor.h"
#include "task/all/registry.h"
#include "task/text_rows.h"
#include "task/trained_arm.h"
#include "task/weights.h"
#include "text/line_reader.h"
#include "train/bucketed_task.h"

namespace minibert {
namespace {

constexpr int kMaxLength = 64;
const std::vector<std::string> kLabels = {"no", "yes"};

// Step 2: measures.
constexpr Measure kMeasures[] = {{.name = "full_stops",
                                  .heading = "full stops",
                                  .decimals = 3,
                                  .better = Better::higher,
                                  .resampled = Resampled::mean,
                                  .right = true,
                                  .probability = "sureness",
                                  .on_card = true}};

// Step 3: settings and data.
struct ToySettings : TaskSettings {
  int64_t lines = 200;
};

struct ToySplit {
  std::vector<LabelledExample> examples;
  TextRows rows;
  std::vector<int64_t> targets;
};

class ToyData : public TaskData {
 public:
  explicit ToyData(const LoadRequest& request) : tokenizer_(request.tokenizer) {
    const TextFiles text = text_files(request.data);
    const auto lines = static_cast<size_t>(as<ToySettings>(request.settings).lines);
    for (const auto& [split, files] :
         {std::pair{Split::train, text.train}, {Split::dev, text.dev}}) {
      ToySplit& out = splits_[split];
      LineReader reader(files.at(0));
      for (std::string line; out.targets.size() < lines && reader.next(&line);) {
        if (line.empty()) continue;
        append_row(tokenizer_, line, "", kMaxLength, &out.rows);
        const auto& ids = out.rows.ids.back();
        out.targets.push_back(tokenizer_.piece(ids[ids.size() - 2]).ends_with(".") ? 1 : 0);
        LabelledExample example;
        example.id = std::to_string(out.targets.size());
        example.text = line;
        example.label = kLabels[static_cast<size_t>(out.targets.back())];
        out.examples.push_back(std::move(example));
      }
    }
  }
  std::map<std::string, size_t> examples() override {
    return {{"train", splits_[Split::train].targets.size()},
            {"dev", splits_[Split::dev].targets.size()}};
  }
  const ToySplit& split(Split split) { return splits_.at(split); }
  const Tokenizer& tokenizer() const { return tokenizer_; }

 private:
  const Tokenizer& tokenizer_;
  std::map<Split, ToySplit> splits_;
};

// Step 4: model and training.
struct ToyConfig {
  ModelConfig encoder;
};

nlohmann::json to_json(const ToyConfig& config) {
  nlohmann::json json = to_json(config.encoder);
  json["labels"] = kLabels;
  json["pooling"] = "cls";
  return json;
}

class ToyModel : public Model {
 public:
  explicit ToyModel(const ModelConfig& config)
      : Model(config.make()),
        head_(add_head(
            std::make_shared<SequenceHead>(encoder().width(), 2, encoder().has_pooler(), 0.0))) {}
  void initialize(uint64_t seed) {
    encoder().initialize(seed);
    head_->initialize(encoder(), seed);
  }
  torch::Tensor logits(const Batch& batch) {
    const torch::Tensor hidden = encoder().encode(batch.ids, batch.segments);
    return (*head_)(encoder().pooled(hidden, batch.ids).to(torch::kFloat32), 0);
  }

 private:
  std::shared_ptr<SequenceHead> head_;
};

Evaluation evaluate_toy(ToyModel& model, const ToySplit& split) {
  torch::NoGradGuard no_grad;
  model.eval();
  Predictions told;
  double right = 0;
  for (uint32_t i = 0; i < split.targets.size(); ++i) {
    const auto probability = model.logits(batch_of(split.rows, {i})).softmax(-1)[0];
    const auto best = probability.argmax().item<int64_t>();
    told.id.push_back(split.examples[i].id);
    told.texts["gold"].push_back(split.examples[i].label);
    told.texts["prediction"].push_back(kLabels[static_cast<size_t>(best)]);
    told.numbers["full_stops"].push_back(best == split.targets[i] ? 1 : 0);
    told.numbers["sureness"].push_back(probability[best].item<double>());
    right += told.numbers["full_stops"].back();
  }
  return {{{"full_stops", right / static_cast<double>(split.targets.size())}}, std::move(told)};
}

class ToyTask : public BucketedTask {
 public:
  ToyTask(std::shared_ptr<ToyModel> model, ToyData& data, const TrainConfig& config, uint64_t seed)
      : BucketedTask(seed), model_(std::move(model)), data_(data) {
    std::vector<uint32_t> lengths;
    for (const auto& row : data_.split(Split::train).rows.ids)
      lengths.push_back(static_cast<uint32_t>(row.size()));
    add_phase({std::move(lengths), config.batch_size, config.epochs});
  }
  torch::nn::Module& module() override { return *model_; }
  Batch make_batch(int64_t index, Part part) override {
    const auto& all = this->batch(index);
    const std::vector<uint32_t> indices = examples_of(all, part);
    const ToySplit& train = data_.split(Split::train);
    Batch batch = batch_of(train.rows, indices);
    std::vector<int64_t> targets;
    for (const uint32_t i : indices) targets.push_back(train.targets[i]);
    batch.targets = {torch::tensor(targets)};
    batch.whole.examples = static_cast<int64_t>(all.size());
    for (const uint32_t i : all) batch.whole.tokens += lengths()[i];
    return batch;
  }
  StepOutput step(const Batch& batch, uint64_t key) override {
    model_->encoder().set_dropout_key(key);
    StepOutput out;
    const auto loss = torch::nn::functional::cross_entropy(model_->logits(batch), batch.targets[0]);
    out.loss = share_of(loss, batch.examples, batch.whole.examples);
    out.metrics["loss"] = {loss.detach(), 1};
    return out;
  }
  Metrics evaluate_dev(Workers*) override {
    return evaluate_toy(*model_, data_.split(Split::dev)).metrics;
  }

 private:
  std::shared_ptr<ToyModel> model_;
  ToyData& data_;
};

class ToyArm : public TrainedArm<ToyConfig, ToyData, ToyModel, ToyTask> {
 public:
  ToyArm(const ArmRequest& request, ToyData& data) : TrainedArm(request, data) {
    const Start start(request, data.tokenizer());
    ConfigReader reader = start.model_reader();
    config_.encoder = read_model_config(reader, data.tokenizer().size());
    model_ = std::make_shared<ToyModel>(config_.encoder);
    model_->initialize(seed());
    put_to_work(start);
  }
  Evaluation evaluate(Split split, Workers*) override {
    return evaluate_toy(*model_, data_.split(split));
  }
  nlohmann::ordered_json measure_mbq(const MbqFiles& files, Split split, int threads) override {
    const LabelAgreement found =
        measure_label_agreement(files.float32, files.int8, data_.split(split).examples, threads);
    return {{"lines", found.texts}, {"agreement", found.agreement()}};
  }

 protected:
  std::unique_ptr<ToyTask> make_task() override {
    return std::make_unique<ToyTask>(model_, data_, request_.config.train, seed());
  }
};

// Step 5: a finished run put to use.
class ToyPredictor : public LabelPredictor {
 public:
  ToyPredictor(const RunRecord& record, const std::string& file, const TaskKind& kind)
      : tokenizer_(Tokenizer::from_bytes(record.tokenizer_model, file)) {
    const StoredHead stored = stored_head(record, file, kind.name());
    ConfigReader reader = stored.reader();
    model_ = std::make_shared<ToyModel>(read_model_config(reader, stored.vocab_size));
    load_weights(*model_, record.weights, file);
    model_->eval();
  }
  infer::ClassifyResult labels(const std::string& text, const std::string&, bool) override {
    TextRows rows;
    append_row(tokenizer_, text, "", kMaxLength, &rows);
    const torch::NoGradGuard no_grad;
    const auto probability = model_->logits(batch_of(rows, {0})).softmax(-1)[0];
    infer::ClassifyResult out;
    for (int64_t i = 0; i < 2; ++i)
      out.labels.push_back({kLabels[static_cast<size_t>(i)], probability[i].item<float>()});
    std::ranges::stable_sort(out.labels, std::greater(), &infer::LabelProbability::probability);
    return out;
  }

 private:
  Tokenizer tokenizer_;
  std::shared_ptr<ToyModel> model_;
};

// Step 6: the kind. (Of step 7 a test adds itself to the registry's table.)
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
  std::unique_ptr<TaskData> load(const LoadRequest& request) const override {
    return std::make_unique<ToyData>(request);
  }
  std::unique_ptr<Arm> make_arm(const ArmRequest& request, TaskData& data) const override {
    return std::make_unique<ToyArm>(request, dynamic_cast<ToyData&>(data));
  }
  MbqHead mbq_head(const RunRecord&) const override {
    return head_loaded_by<infer::Classifier>(infer::mbq::kClassifies, {{"max_length", kMaxLength}});
  }
  Predicts predicts() const override { return Predicts::labels; }
  std::unique_ptr<Predictor> predictor(const RunRecord& record,
                                       const std::string& file) const override {
    return std::make_unique<ToyPredictor>(record, file, *this);
  }
};

nlohmann::json arm(const std::string& name, const nlohmann::json& model) {
  return {{"name", name},
          {"model", model},
          {"train",
           {{"epochs", 12},
            {"batch_size", 8},
            {"monitor", "full_stops"},
            {"optimizer", {{"lr", 0.01}}}}}};
}

nlohmann::json toy_experiment() {
  return {{"name", "toy"},
          {"task", "toy"},
          {"data", {"sample"}},
          {"tokenizer", {{"data", {"sample"}}, {"vocab_size", 1500}}},
          {"seeds", {1}},
          {"lines", 150},
          {"arms",
           {arm("lstm", {{"kind", "lstm"}, {"d_model", 16}}),
            arm("bert", {{"kind", "bert"},
                         {"d_model", 16},
                         {"n_heads", 2},
                         {"d_ff", 32},
                         {"n_layers", 1},
                         {"max_positions", kMaxLength}})}}};
}

}  // namespace

TEST_CASE("a task that only implements TaskKind is trained, recorded and put to all uses") {
  const ToyKind kind;
  const AddedTaskKind added(kind);
  const nlohmann::json file = toy_experiment();
  const ExperimentConfig experiment = experiment_from_json(file, "toy.json", "quick");
  const testing::Scratch scratch;
  RunOptions options;
  options.results = scratch / "results";
  options.threads = 1;
  options.fetch = false;
  RunListener listener;
  const RunOutcome outcome = run_experiment(experiment, options, listener);
  CAPTURE(outcome.failures.empty() ? "" : outcome.failures.front());
  REQUIRE(outcome.failures.empty());
  REQUIRE(outcome.records.size() == 2);
  const std::string &lstm = outcome.records[0], &bert = outcome.records[1];

  {  // recorded
    const RunRecord record = load_record(lstm);
    CHECK(record.status == "finished");
    CHECK(record.config.at("task") == "toy");
    CHECK(record.config.at("lines") == 150);
    CHECK(record.summary.at("full_stops") > 0.9);
    CHECK(record.selected_by == "best dev full_stops");
    CHECK(record.weights.back().name == "sequence.output.bias");
    for (const std::string& path : outcome.records) CHECK(verify_record(path).problems.empty());
    StoredModel stored(lstm, {}, {});
    CHECK(stored.evaluate().metrics.at("full_stops") == record.summary.at("full_stops"));
  }
  {  // exported
    const AlignedBytes float32(export_record(bert, MbqWeights::float32));
    const AlignedBytes int8(export_record(bert, MbqWeights::int8));
    infer::Classifier model;
    REQUIRE(model.load(int8.span()).ok());
    const std::vector<infer::CardFigure>& card = model.model().facts().card;
    REQUIRE(card.size() == 1);
    CHECK(card[0].name == "full_stops");
    CHECK(card[0].heading == "full stops");
    CHECK(card[0].split == "dev");
    CHECK(card[0].value == load_record(bert).summary.at("full_stops"));
    StoredModel stored(bert, {}, {});
    const auto costs = stored.measure_mbq({float32.span(), int8.span()}, 1);
    CHECK(costs.at("lines") > 10);
    CHECK(costs.at("agreement") > 0.9);
  }
  {  // put to use
    const std::string text = "바다는 넓고 푸르다.";
    const auto by_record = load_predictor<LabelPredictor>(bert)->labels(text, "", false);
    const auto by_engine =
        load_predictor<LabelPredictor>(bert, PredictBy::engine)->labels(text, "", false);
    CHECK(by_record.labels[0].label == by_engine.labels[0].label);
    CHECK(by_record.labels[0].probability == Approx(by_engine.labels[0].probability).margin(1e-4));
    CHECK_THROWS_WITH(load_predictor<NamePredictor>(bert),
                      Catch::Contains("task: found \"toy\", expected tagging"));
    CHECK_THROWS_WITH(load_predictor<LabelPredictor>("results/none.h5"),
                      Catch::Contains("results/none.h5"));
  }
  {  // reported
    const nlohmann::json data = report_data({lstm, bert}, all_measures());
    CAPTURE(data["warnings"].dump());
    REQUIRE(data["examples"]["runs"].size() == 2);
    CHECK(data["examples"]["runs"][1]["numbers"].contains("full_stops"));
    CHECK(data["examples"]["runs"][1]["numbers"].contains("sureness"));
    CHECK(data["differences"][0]["intervals"].contains("full_stops"));
  }
}

TEST_CASE("what a task does not measure is refused where its experiment names it") {
  const ToyKind kind;
  nlohmann::json wrong = toy_experiment();
  wrong["arms"][0]["train"]["monitor"] = "accuracy";
  CHECK_THROWS_WITH(experiment_from_json(wrong, "toy.json", "quick", kind),
                    Catch::Matchers::Contains("monitor: found \"accuracy\", expected one of: none, "
                                              "full_stops"));
  CHECK_THROWS_WITH(task_kind("toy"), Catch::Contains("found \"toy\""));
}

}  // namespace minibert

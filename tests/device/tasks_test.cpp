// Every task on the stand-in: training, evaluation, a checkpoint and going on from it; what it says where the device
// is too small.
#include <catch2/catch.hpp>

#include "core/files.h"
#include "device/stand_in.h"
#include "environment/environment.h"
#include "experiment/config.h"
#include "experiment/runner.h"
#include "experiment/tiny.h"
#include "record/run_record.h"
#include "task/trial.h"

namespace minibert {
namespace {

using testing::device_under_test;
using testing::Files;
using testing::name_under_test;
using testing::Scratch;
using testing::stand_in;
using testing::tiny_experiment;
using testing::Trial;

TableLayout layout(std::vector<std::string> text, const std::string& label) {
  TableLayout out;
  out.text = std::move(text);
  out.label = label;
  return out;
}

// Labelled examples of a task, for training and measuring alike.
struct Learnt {
  const char *task, *kind;
  TableLayout table;
  std::string text;
};

std::vector<Learnt> sets() {
  TableLayout pairs = layout({"a"}, "score"), choices = layout({"a"}, "label");
  pairs.pair = "b";
  choices.choices = {"1", "2"};
  return {
      {"classification", "table", layout({"text"}, "label"),
       "label\ttext\n1\t정말 좋은 영화\n0\t정말 나쁜 영화\n1\t아주 좋은 음악\n0\t아주 나쁜 음악\n"},
      {"regression", "table", pairs,
       "a\tb\tscore\n좋은 날\t좋은 날\t5\n좋은 날\t나쁜 책\t0.5\n참 좋은 책\t참 좋은 책\t4.5\n"},
      {"choice", "table", choices,
       "a\t1\t2\tlabel\n비가 왔다\t길이 젖었다\t길이 말랐다\t1\n"
       "해가 났다\t길이 젖었다\t길이 말랐다\t2\n"},
      {"tagging",
       "tags",
       {},
       "세\tB-PS\n종\tI-PS\n이\tO\n\n서\tB-LC\n울\tI-LC\n이\tO\n \tO\n크\tO\n다\tO\n"}};
}

const nlohmann::json kBert = {{"kind", "bert"},    {"d_model", 16},          {"n_heads", 2},
                              {"d_ff", 32},        {"n_layers", 2},          {"dropout", 0},
                              {"conv", 3},         {"position", "relative"}, {"ffn", "geglu"},
                              {"head_gate", true}, {"head_dropout", 0}};
const nlohmann::json kLstm = {{"kind", "lstm"}, {"d_model", 16}, {"head_dropout", 0}};
const nlohmann::json kBag = {{"kind", "bag"}, {"d_model", 8}, {"head_dropout", 0}};

// Its weights after eight steps, and what it then measures.
struct Outcome {
  NamedTensors weights;
  Metrics metrics;
};
Outcome learn(const Learnt& set, const nlohmann::json& model, torch::Device device) {
  const Files files(set.kind, set.table, set.text, set.text);
  Trial trial(set.task, files, model, nlohmann::json::object(), {.device = device});
  trial.config.train.epochs = 8;
  trial.config.train.clip_norm = 1;
  // Adam makes whole steps of gradients that are nothing but rounding, such as a bias's that all choices share.
  trial.config.train.optimizer.eps = 1e-2;
  const Evaluation found = trial.learn();
  Outcome out{{}, found.metrics};
  for (const auto& [name, tensor] : weights_of(trial.made->module())) {
    CHECK(tensor.device() == device);
    out.weights.emplace_back(name, tensor.detach().to(torch::kCPU, tensor.scalar_type(),
                                                      /*non_blocking=*/false, /*copy=*/true));
  }
  return out;
}

// Stops when it has heard of so many steps.
class Stops : public RunListener {
 public:
  explicit Stops(int64_t after) : after_(after) {}
  void message(const std::string& text) override { said += text + "\n"; }
  bool stop_requested() override { return --after_ == 0; }
  std::string said;

 private:
  int64_t after_;
};

// A run of the sample data by the program's own steps; `stops`: after how many steps it is stopped and begun again.
RunRecord run(const std::string& arm, const std::string& device, const std::vector<int64_t>& stops,
              std::vector<std::string> overrides = {}) {
  const Scratch folder;
  folder.write("tiny.json", tiny_experiment(arm));
  for (const char* change :
       {"arms[0].train.epochs=1", "arms[0].train.max_steps=6", "arms[0].train.log_every=2"})
    overrides.emplace_back(change);
  const ExperimentConfig experiment = load_experiment(folder / "tiny.json", "quick", overrides);
  RunOptions options;
  options.results = folder / "results";
  options.device = device;
  options.precision = "fp32";
  options.threads = 1;
  options.fetch = false;
  for (const int64_t stop : stops) {
    Stops listener(stop);
    CHECK(run_experiment(experiment, options, listener).interrupted);
  }
  Stops listener(-1);
  const RunOutcome outcome = run_experiment(experiment, options, listener);
  INFO(listener.said);
  CHECK(outcome.failures == std::vector<std::string>());
  return load_record(outcome.records.at(0), Load::all);
}

}  // namespace

TEST_CASE("every fine-tuning task learns on a device what it learns on the CPU", "[on a device]") {
  for (const Learnt& set : sets())
    for (const nlohmann::json& model : {kBert, kLstm, kBag}) {
      CAPTURE(set.task, model.dump());
      const Outcome cpu = learn(set, model, torch::kCPU),
                    device = learn(set, model, device_under_test());
      REQUIRE(cpu.weights.size() == device.weights.size());
      for (size_t i = 0; i < cpu.weights.size(); ++i) {
        CAPTURE(cpu.weights[i].first);
        CHECK(cpu.weights[i].second.allclose(device.weights[i].second, 1e-2, 2e-3));
      }
      for (const auto& [name, value] : cpu.metrics) {
        CAPTURE(name);
        if (std::isfinite(value)) CHECK(device.metrics.at(name) == Approx(value).margin(0.02));
      }
    }
}

TEST_CASE("a run on a device is stopped, goes on and ends with the same bits", "[on a device]") {
  const AddedDevice added("stand-in", stand_in());
  for (const char* arm : {"pretrain", "bert", "lstm"}) {
    CAPTURE(arm);
    const RunRecord whole = run(arm, name_under_test(), {});
    CHECK(whole.status == "finished");
    CHECK(whole.environment.at("device") == device_under_test().str());
    CHECK(weights_sha256(run(arm, name_under_test(), {3}).weights) ==
          weights_sha256(whole.weights));
  }
}

TEST_CASE("a batch that the device has no room for is told with the parts that fit") {
  const AddedDevice added("stand-in", stand_in());
  const Scratch folder;
  folder.write("tiny.json", tiny_experiment("bert"));
  const ExperimentConfig experiment = load_experiment(
      folder / "tiny.json", "quick", {"arms[0].train.max_steps=2", "arms[0].train.batch_size=32"});
  RunOptions options;
  options.results = folder / "results";
  options.device = "stand-in";
  options.threads = 1;
  options.fetch = false;
  Stops listener(-1);
  testing::limit_device_memory(testing::device_memory() + (24 << 20));
  const RunOutcome outcome = run_experiment(experiment, options, listener);
  testing::limit_device_memory(0);
  REQUIRE(outcome.failures.size() == 1);
  CAPTURE(outcome.failures[0]);
  CHECK_THAT(outcome.failures[0],
             Catch::Matchers::Contains("privateuseone:0 is out of memory at step ") &&
                 Catch::Matchers::Contains(" at once) fits, and makes the same steps") &&
                 Catch::Matchers::Contains("train.gradient_accumulation="));
}

}  // namespace minibert

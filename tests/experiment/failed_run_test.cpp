// Runs that fail, and go on.
#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "experiment/runner.h"
#include "experiment/tiny.h"
#include "record/progress.h"
#include "record/run_record.h"
#include "support/shell.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

// Stops or fails behind a step, as a person or a machine does.
class EndsAt : public RunListener {
 public:
  EndsAt(int64_t step, bool fails) : step_(step), fails_(fails) {}
  void progress(const std::string& /*run*/, const Progress& progress) override {
    reached_ = progress.step >= step_;
    if (reached_ && fails_) throw Error("the machine is gone");
  }
  bool stop_requested() override { return reached_; }

 private:
  int64_t step_;
  bool fails_, reached_ = false;
};

}  // namespace

TEST_CASE("a run that fails keeps its error and what it had, and says so") {
  const TinyRun tiny("bert");
  // Decoupled decay with lr * weight_decay = 100 multiplies every weight by -99 at every step.
  const ShellResult result = tiny.run(
      "a", R"(--set 'arms[0].train.optimizer={"type": "adamw", "lr": 10, "weight_decay": 10}')");
  INFO(result.output);
  CHECK(result.status == 1);
  CHECK_THAT(result.output, Contains("is not finite at step") && Contains("optimizer.lr"));
  const RunRecord record = load_record(tiny.record("a"));
  CHECK(record.status == "failed");
  CHECK_THAT(record.error, Contains("is not finite at step"));
}

TEST_CASE("a run that failed behind its checkpoint goes on without what it had recorded since") {
  const TinyRun tiny("bert");
  REQUIRE(tiny.run("whole").status == 0);
  const RunRecord whole = load_record(tiny.record("whole"));
  const ExperimentConfig experiment = load_experiment(tiny.folder / "tiny.json", "quick", {});
  RunOptions options;
  options.results = tiny.folder / "a";
  options.threads = 1;
  options.fetch = false;
  options.checkpoint_seconds = 1e9;
  const int64_t epoch = whole.metrics.at("dev/f1").step.front();

  EndsAt stop(epoch, false);  // behind its last step, before it is measured
  CHECK(run_experiment(experiment, options, stop).interrupted);
  CHECK(load_record(tiny.record("a")).status == "interrupted");
  EndsAt fail(epoch + 7, true);
  CHECK(run_experiment(experiment, options, fail).failures ==
        std::vector<std::string>{"bert seed 1: the machine is gone"});
  const RunRecord failed = load_record(tiny.record("a"));
  CHECK(failed.status == "failed");
  CHECK(failed.metrics.at("dev/f1").step == std::vector<int64_t>{epoch});
  CHECK(failed.metrics.at("train/loss").step.back() > epoch);
  RunRecord elsewhere = failed;
  elsewhere.environment["cpu"] = "another machine's";
  elsewhere.diff = "what was changed then";
  save_record(elsewhere, tiny.record("a"));
  EndsAt never(1 << 30, false);
  CHECK(run_experiment(experiment, options, never).failures.empty());
  check_same_run(tiny, "a", "whole");
  const RunRecord finished = load_record(tiny.record("a"));
  CHECK(finished.error.empty());
  CHECK(finished.environment.at("earlier").back().at("cpu") == "another machine's");
  CHECK(finished.environment.at("cpu") == whole.environment.at("cpu"));
  CHECK_THAT(finished.diff, Catch::StartsWith("what was changed then"));

  std::istringstream log(read_file(progress_path(tiny.record("a"))));
  std::vector<int64_t> measured;
  for (std::string line; std::getline(log, line);)
    if (const auto object = nlohmann::json::parse(line); object.contains("dev"))
      measured.push_back(object.at("step"));
  CHECK(measured == whole.metrics.at("dev/f1").step);
}

TEST_CASE("runs that fail are told by arm and seed, and the others are made") {
  const TinyRun tiny("lstm");
  const auto record_of = [&](int seed) {
    return record_path(tiny.folder / "a", "tiny", "quick", tiny.arm, seed);
  };
  // Where the second run's record should be is a folder.
  std::filesystem::create_directories(record_of(2));
  const ShellResult result = tiny.run("a", "--seeds 1,2,3");
  CHECK(result.status == 1);
  CHECK_THAT(result.output, Contains("lstm seed 2: ") && Contains("is a folder"));
  CHECK(load_record(record_of(1)).status == "finished");
  CHECK(load_record(record_of(3)).status == "finished");
  std::filesystem::remove_all(record_of(1));
  std::filesystem::create_directories(record_of(1));
  const ShellResult two = tiny.run("a", "--seeds 1,2,3");
  CHECK_THAT(two.output, Contains("lstm seed 1: " + record_of(1) + ": is a folder") &&
                             Contains("lstm seed 2: " + record_of(2) + ": is a folder") &&
                             Contains("2 of 3 runs failed; the same command tries them again"));
}

// Epochs, seconds and tokens of a run's steps.
#include <catch2/catch.hpp>

#include "report/report_axes.h"

namespace minibert {
namespace {

using nlohmann::json;

// Three epochs of 20 planned, of ten steps each.
RunRecord run(const json& train) {
  RunRecord record;
  record.status = "finished";
  record.config = {{"arms", {{{"name", "bert"}, {"train", train}}}}};
  record.data = {{"splits", {{"train", {{"examples", 320}}}}}};
  record.metrics["dev/f1"] = {{10, 20, 30}, {1, 2, 3}};
  record.summary = {{"steps", 30}, {"train_seconds", 60}, {"tokens_per_second", 50}};
  return record;
}

RunRecord stopped_early() { return run({{"epochs", 20}, {"batch_size", 32}}); }

TEST_CASE("epochs are those that were made, whatever number was planned") {
  CHECK(step_axes(stopped_early())["epoch"] == json({{0, 10, 20, 30}, {0, 1, 2, 3}}));
  // Phases' epochs differ in length.
  RunRecord phases = run({{"epochs", 20}, {"phases", {{{"epochs", 2}}, {{"epochs", 1}}}}});
  phases.metrics["dev/f1"].step = {10, 20, 50};
  phases.summary["steps"] = 50;
  CHECK(step_axes(phases)["epoch"] == json({{0, 10, 20, 50}, {0, 1, 2, 3}}));
}

TEST_CASE("max_steps ends within an epoch") {
  RunRecord record = run({{"epochs", 20}, {"batch_size", 32}, {"max_steps", 25}});
  record.metrics["dev/f1"].step = {10, 20, 25};
  record.summary["steps"] = 25;
  CHECK(step_axes(record)["epoch"] == json({{0, 10, 20, 25}, {0, 1, 2, 2.5}}));
  // Within the first one, the number of examples tells its length.
  record.metrics["dev/f1"] = {{4}, {1}};
  record.summary["steps"] = 4;
  record.config["arms"][0]["train"]["max_steps"] = 4;
  CHECK(step_axes(record)["epoch"] == json({{0, 4}, {0, 0.4}}));
  record.data = json::object();
  CHECK_FALSE(step_axes(record).contains("epoch"));
}

TEST_CASE("time follows the logged speed, and is straight without one") {
  RunRecord record = stopped_early();
  CHECK(step_axes(record)["seconds"] == json({{0, 30}, {0, 60}}));
  // The first 20 steps at half the speed take four fifths of the time.
  record.metrics["train/tokens_per_second"] = {{10, 20, 30}, {100, 100, 200}};
  CHECK(step_axes(record)["seconds"] == json({{0, 10, 20, 30}, {0, 24, 48, 60}}));
  CHECK(step_axes(record)["tokens"] == json({{0, 30}, {0, 3000}}));
}

TEST_CASE("operations and tokens stand on their axes as they were counted at evaluations") {
  RunRecord record = stopped_early();
  record.metrics["spent/flops"] = {{10, 20, 30}, {1e9, 2e9, 3.5e9}};
  record.metrics["spent/teacher_flops"] = {{10, 20, 30}, {1e8, 2e8, 3e8}};
  record.metrics["spent/tokens"] = {{10, 20, 30}, {500, 900, 1400}};
  CHECK(step_axes(record)["flops"] == json({{0, 10, 20, 30}, {0, 1.1e9, 2.2e9, 3.8e9}}));
  CHECK(step_axes(record)["tokens"] == json({{0, 10, 20, 30}, {0, 500, 900, 1400}}));
}

TEST_CASE("an unfinished run's axes end where it would go on") {
  RunRecord record = stopped_early();
  record.status = "interrupted";
  record.summary.clear();
  record.metrics["dev/f1"] = {{10}, {1}};
  record.resume = ResumeState{{{"step", 15}, {"seconds", 30}, {"tokens", 1500}}, {}};
  CHECK(step_axes(record) == json({{"epoch", {{0, 10, 15}, {0, 1, 1.5}}},
                                   {"seconds", {{0, 15}, {0, 30}}},
                                   {"tokens", {{0, 15}, {0, 1500}}}}));
  record.resume.reset();
  record.metrics["train/loss"] = {{5, 15}, {1, 1}};
  CHECK(step_axes(record) == json({{"epoch", {{0, 10, 15}, {0, 1, 1.5}}}}));
}

TEST_CASE("a long series is thinned, and ends at the last step's time") {
  RunRecord record = stopped_early();
  record.summary["steps"] = 1000;
  for (int step = 1; step <= 1000; ++step) {
    record.metrics["train/tokens_per_second"].step.push_back(step);
    record.metrics["train/tokens_per_second"].value.push_back(50);
  }
  const json seconds = step_axes(record)["seconds"];
  REQUIRE(seconds[0].size() == kMostPoints + 1);
  CHECK(seconds[0].back() == 1000);
  CHECK(seconds[1].back() == 60);
  CHECK(seconds[1][75] == 30);
}

TEST_CASE("a run without a step has no axis") {
  RunRecord record;
  record.status = "finished";
  record.summary = {{"steps", 0}, {"train_seconds", 0}};
  CHECK(step_axes(record).empty());
}

}  // namespace
}  // namespace minibert

// Runs that end by a budget, and what records say that they cost.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "experiment/tiny.h"
#include "record/run_record.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

TEST_CASE("a record holds what its training cost, the same after a kill") {
  const std::string arm = GENERATE("lstm", "pretrain");
  const TinyRun tiny(arm);
  REQUIRE(tiny.run("whole").status == 0);
  kill_repeatedly(tiny, "killed", {0.05, 0.1});
  REQUIRE(tiny.run("killed").status == 0);
  const RunRecord whole = load_record(tiny.record("whole")),
                  killed = load_record(tiny.record("killed"));
  CHECK(whole.ended_by == "epochs");
  CHECK(whole.measured_on == (arm == "pretrain" ? "dev" : "test"));
  CHECK(whole.summary.at("flops") > 1e8);
  CHECK(killed.summary.at("flops") == whole.summary.at("flops"));
  CHECK(whole.summary.count("teacher_flops") == 0);
  CHECK(whole.summary.at("cpu_seconds") > 0.01);
  CHECK(killed.summary.at("cpu_seconds") > 0.01);
  CHECK(whole.metrics.at("spent/flops").value.back() == whole.summary.at("flops"));
  CHECK(whole.metrics.at("spent/seconds").value.back() == whole.summary.at("train_seconds"));
  for (const char* name : {"spent/flops", "spent/tokens"}) {
    CHECK(killed.metrics.at(name).step == whole.metrics.at(name).step);
    CHECK(killed.metrics.at(name).value == whole.metrics.at(name).value);
  }
}

TEST_CASE("an interrupted run whose minutes are over finishes at once when it goes on") {
  const TinyRun tiny("bert");
  const std::string more =
      "--set arms[0].train.epochs=100000 --set arms[0].train.patience=0 "
      "--set arms[0].train.monitor=none --set arms[0].train.max_minutes=0.02";
  kill_repeatedly(tiny, "a", {0.3, 0.3}, more);
  const ShellResult result = tiny.run("a", more);
  INFO(result.output);
  REQUIRE(result.status == 0);
  const RunRecord record = load_record(tiny.record("a"));
  CHECK(record.ended_by == "max_minutes");
  CHECK(record.summary.at("train_seconds") >= 1.2);
  CHECK(record.summary.at("train_seconds") < 6);
}

TEST_CASE("keys of budgets and expectations that are gone are told by their key") {
  const TinyRun tiny("bert");
  for (const auto& [arguments, expected] :
       {std::pair("--set arms[0].train.max_minutes=-1", "arms[0].train.max_minutes: found -1"),
        std::pair("--set arms[0].train.max_flops=1e9",
                  "arms[0].train.max_flops: found 1000000000.0, expected no such key"),
        std::pair(R"(--set 'expect=[{"measure": "f1"}]')", "expect: found [")}) {
    const ShellResult result = tiny.run("a", arguments);
    INFO(result.output);
    CHECK(result.status == 2);
    CHECK_THAT(result.output, Contains(expected));
  }
}

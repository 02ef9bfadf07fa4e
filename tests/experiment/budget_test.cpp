// Runs that end by a budget, what records say that they cost, and what was expected of them before.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "experiment/tiny.h"
#include "record/run_record.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

// The option that lets the tiny experiment expect something of its two arms.
std::string expecting(double least) {
  return "--set 'expect=" +
         nlohmann::json{{{"measure", "f1"},
                         {"arm", "bert"},
                         {"baseline", "lstm"},
                         {"least", least},
                         {"stop", "after one seed"}}}
             .dump() +
         "' --set 'arms=" +
         nlohmann::json::array({nlohmann::json::parse(tiny_experiment("bert"))["arms"][0],
                                nlohmann::json::parse(tiny_experiment("lstm"))["arms"][0]})
             .dump() +
         "'";
}

}  // namespace

TEST_CASE("a record holds what its training cost, the same after a kill") {
  const std::string arm = GENERATE("lstm", "pretrain");
  const TinyRun tiny(arm);
  REQUIRE(tiny.run("whole").status == 0);
  kill_repeatedly(tiny, "killed", {0.05, 0.1});
  REQUIRE(tiny.run("killed").status == 0);
  const RunRecord whole = load_record(tiny.record("whole")),
                  killed = load_record(tiny.record("killed"));
  CHECK(whole.ended_by == "epochs");
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

TEST_CASE("max_flops ends a run with its evaluation, and the record and the console say so") {
  const TinyRun tiny("bert");
  REQUIRE(tiny.run("whole").status == 0);
  const double all = load_record(tiny.record("whole")).summary.at("flops");
  const ShellResult result =
      tiny.run("half", "--set arms[0].train.schedule=linear --set arms[0].train.max_flops=" +
                           std::to_string(all / 2));
  INFO(result.output);
  REQUIRE(result.status == 0);
  CHECK_THAT(result.output, Contains("training ended by train.max_flops, at step "));
  const RunRecord half = load_record(tiny.record("half"));
  CHECK(half.ended_by == "max_flops");
  CHECK(half.summary.at("flops") >= all / 2);
  CHECK(half.summary.at("flops") < 0.6 * all);
  CHECK(half.summary.count("f1") == 1);
  const auto& rates = half.metrics.at("train/learning_rate").value;
  CHECK(rates.back() < 0.2 * rates.front());  // it is not cut off half-way

  const ShellResult compared = shell(warm_program() + " compare --at-equal flops --json --runs " +
                                     single_quoted(tiny.record("half")) + " 2>&1");
  INFO(compared.output);
  REQUIRE(compared.status == 0);
  const auto equal = nlohmann::json::parse(compared.output);
  CHECK(equal[0]["limit"] == half.summary.at("flops"));
  CHECK(equal[0]["arms"][0]["steps"][0] == half.summary.at("steps"));

  const ShellResult asked =
      shell(warm_program() + " query --results " + single_quoted(tiny.folder / "half") +
            " 'SELECT ended_by, flops, cpu_seconds FROM runs' 2>&1");
  INFO(asked.output);
  CHECK_THAT(asked.output, Contains("max_flops"));
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

TEST_CASE("what is expected stands in a record from before its first step") {
  const TinyRun tiny("bert");
  const std::string record = single_quoted(tiny.record("a"));
  shell(tiny.command("a", expecting(2) + " --arms bert --quiet --set arms[bert].train.epochs=500") +
        " >/dev/null 2>&1 & pid=$!; for i in $(seq 3000); do [ -e " + record +
        " ] && break; sleep 0.01; done; kill -9 $pid; wait $pid");
  const RunRecord begun = load_record(tiny.record("a"));
  CHECK(begun.status == "running");
  CHECK(begun.metrics.empty());
  REQUIRE(begun.expect.size() == 1);
  CHECK(begun.expect[0]["least"] == 2.0);
  CHECK(begun.expect[0]["runs"] == 1);
  CHECK(begun.expect_sha256 == sha256_of_json(begun.expect));
}

TEST_CASE("a run's table tells what was registered, and another expectation is told, not taken") {
  const TinyRun tiny("bert");
  const ShellResult first = tiny.run("a", expecting(0));
  INFO(first.output);
  REQUIRE(first.status == 0);
  CHECK_THAT(first.output,
             Contains("Registered (SHA-256 ") && Contains("f1 of bert - lstm higher"));
  const ShellResult second = tiny.run("a", expecting(1));
  INFO(second.output);
  CHECK(second.status == 0);
  CHECK_THAT(second.output, Contains("finished before, kept") &&
                                Contains("another expectation registered than the file's"));
  CHECK(load_record(tiny.record("a")).expect[0]["least"] == 0.0);
}

TEST_CASE("mistakes of budgets and expectations are told by their key") {
  const TinyRun tiny("bert");
  struct Case {
    std::string arguments, expected;
  };
  const Case cases[] = {
      {"--set arms[0].train.max_minutes=-1", "arms[0].train.max_minutes: found -1"},
      {"--set arms[0].train.max_flops=soon", "arms[0].train.max_flops: found"},
      {R"(--set 'expect=[{"measure": "f2", "arm": "bert", "baseline": "bert", "stop": "x"}]')",
       "expect[0].measure: found \"f2\""},
      {R"(--set 'expect=[{"measure": "f1", "arm": "brt", "baseline": "bert", "stop": "x"}]')",
       "did you mean \"bert\"?"},
      {R"(--set 'expect=[{"measure": "f1", "arm": "bert", "baseline": "bert", "stop": "x"}]')",
       "expected another arm"},
      {R"(--set 'expect=[{"measure": "f1", "arm": "bert", "baseline": "bert"}]')", "stop"},
      {R"(--set 'expect={"measure": "f1"}')", "expect: "},
  };
  for (const auto& [arguments, expected] : cases) {
    const ShellResult result = tiny.run("a", arguments);
    INFO(result.output);
    CHECK(result.status == 2);
    CHECK_THAT(result.output, Contains(expected));
  }
}

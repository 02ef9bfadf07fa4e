// Runs that are killed, stopped, or started twice.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "experiment/tiny.h"
#include "record/run_record.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

TEST_CASE("a run killed at any moment goes on and ends with the same weights") {
  const std::string arm = GENERATE("lstm", "bert", "pretrain");
  const TinyRun tiny(arm);
  REQUIRE(tiny.run("whole").status == 0);
  CHECK(kill_repeatedly(tiny, "killed", {0, 0.03, 0.08, 0.15, 0.25}) > 0);
  REQUIRE(tiny.run("killed").status == 0);
  check_same_run(tiny, "killed", "whole");
}

TEST_CASE("a run taught by kept targets, killed at any moment, ends with the same weights") {
  const TinyRun tiny("pretrain");
  REQUIRE(tiny.run("teacher").status == 0);
  const std::string taught =
      "--set " +
      single_quoted("arms[0].train.teacher=" + nlohmann::json{{"run", tiny.record("teacher")},
                                                              {"cached", 2},
                                                              {"cosine_weight", 0}}
                                                   .dump());
  const ShellResult whole = tiny.run("whole", taught);
  INFO(whole.output);
  REQUIRE(whole.status == 0);
  CHECK(kill_repeatedly(tiny, "killed", {0, 0.05, 0.2}, taught) > 0);
  REQUIRE(tiny.run("killed", taught).status == 0);
  check_same_run(tiny, "killed", "whole");
  CHECK(tiny.weights("whole") != tiny.weights("teacher"));
  const RunRecord record = load_record(tiny.record("whole"));
  CHECK(record.summary.count("teacher_flops") == 0);
  CHECK(record.config["arms"][0]["train"]["teacher"]["cached"] == 2);
  const ShellResult refused =
      tiny.run("refused", taught + " --set arms[0].train.teacher.cosine_weight=1");
  CHECK(refused.status == 2);
  CHECK_THAT(refused.output, Contains("teacher.cosine_weight: found 1.0, expected 0 with cached"));
}

TEST_CASE("Ctrl-C saves the run and says how to go on") {
  const TinyRun tiny("bert");
  const std::string record = single_quoted(tiny.record("a"));
  const ShellResult result =
      shell(tiny.command("a", "--checkpoint-seconds 0 --set arms[0].train.epochs=500") +
            " & pid=$!; until [ -e " + record +
            " ]; do sleep 0.01; done; kill -INT $pid; wait $pid; echo status $?");
  CHECK_THAT(result.output,
             Contains("status 1") && Contains("the same command goes on from there"));
  CHECK(load_record(tiny.record("a")).status == "interrupted");
}

TEST_CASE("a second program is refused and told who holds the run") {
  const TinyRun tiny("bert");
  const std::string record = single_quoted(tiny.record("a"));
  const ShellResult result = shell(
      tiny.command("a", "--checkpoint-seconds 0 --quiet --set arms[0].train.epochs=500") +
      " >/dev/null 2>&1 & pid=$!; for i in $(seq 2000); do [ -e " + record +
      " ] && break; sleep 0.01; done; " + tiny.command("a", "--set arms[0].train.epochs=500") +
      "; echo status $?; echo holder $pid; kill -9 $pid");
  CHECK_THAT(result.output, Contains("status 1"));
  const size_t at = result.output.find("holder ");
  REQUIRE(at != std::string::npos);
  const std::string pid = result.output.substr(at + 7, result.output.find('\n', at) - at - 7);
  CHECK_THAT(result.output, Contains("process " + pid));
}

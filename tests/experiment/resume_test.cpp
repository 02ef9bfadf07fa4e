// Runs that are killed, stopped, or started twice.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "experiment/tiny.h"
#include "record/progress.h"
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

TEST_CASE("a run with a teacher, killed at any moment, ends with the same weights") {
  const TinyRun tiny("pretrain");
  REQUIRE(tiny.run("teacher").status == 0);
  const std::string taught =
      "--set " + single_quoted("arms[0].train.teacher=" +
                               nlohmann::json{{"run", tiny.record("teacher")}}.dump());
  const ShellResult whole = tiny.run("whole", taught);
  INFO(whole.output);
  REQUIRE(whole.status == 0);
  CHECK(kill_repeatedly(tiny, "killed", {0, 0.05, 0.2}, taught) > 0);
  REQUIRE(tiny.run("killed", taught).status == 0);
  check_same_run(tiny, "killed", "whole");
  CHECK(tiny.weights("whole") != tiny.weights("teacher"));
  const RunRecord record = load_record(tiny.record("whole"));
  CHECK(record.summary.at("teacher_flops") > 0);
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

TEST_CASE("whatever asks a run to end, and how often, it saves first and loses no step") {
  const TinyRun tiny("bert");
  // The only checkpoint is the one that the signal asks for.
  const auto ended_by = [&](const std::string& name, const std::string& signals,
                            const std::string& before = "") {
    const std::string log = single_quoted(tiny.folder / (name + ".log"));
    const std::string command =
        tiny.command(name, "--checkpoint-seconds 3600 --set arms[0].train.epochs=5000");
    return shell(before + command + " 2>" + log + " & pid=$!; for i in $(seq 6000); do [ -s " +
                 single_quoted(progress_path(tiny.record(name))) +
                 " ] && break; sleep 0.01; done; " + signals + "; wait $pid; echo status $?; cat " +
                 log);
  };
  const auto saved = [&](const std::string& name, const ShellResult& result) {
    INFO(name << ": " << result.output);
    // 1, or 128 and a signal that came when all was saved.
    CHECK_THAT(result.output, Contains("status 1") && Contains("stops after this step and saves") &&
                                  Contains("the same command goes on from there"));
    CHECK(load_record(tiny.record(name)).status == "interrupted");
    CHECK_FALSE(std::filesystem::exists(tiny.record(name) + ".lock"));
  };
  saved("hangup", ended_by("hangup", "kill -HUP $pid"));
  saved("two", ended_by("two", "kill -INT $pid; kill -INT $pid"));
  saved("many", ended_by("many",
                         "for s in INT TERM HUP INT; do kill -$s $pid; sleep 0.02; done; "
                         "kill -TERM $pid 2>/dev/null"));
  // Whoever reads what it says may end at the same time.
  const std::string piped =
      tiny.command("piped", "--checkpoint-seconds 3600 --set arms[0].train.epochs=5000");
  const ShellResult reader =
      shell("{ " + piped + " 2>&1; echo status $? >" + single_quoted(tiny.folder / "status") +
            "; } | head -n 1 & for i in $(seq 6000); do [ -s " +
            single_quoted(progress_path(tiny.record("piped"))) +
            " ] && break; sleep 0.01; done; sed -n 's/process \\([0-9]*\\) .*/\\1/p' " +
            single_quoted(tiny.record("piped") + ".lock") + " | xargs kill -INT; wait; cat " +
            single_quoted(tiny.folder / "status"));
  INFO(reader.output);
  CHECK_THAT(reader.output, Contains("status 1"));
  CHECK(load_record(tiny.record("piped")).status == "interrupted");
}

TEST_CASE("a run saves when its terminal closes, and when timeout ends it") {
  const TinyRun tiny("bert");
  const auto ended = [&](const std::string& name, const std::string& start,
                         const std::string& signal) {
    const std::string record = single_quoted(tiny.record(name)), lock = record + ".lock";
    const ShellResult result =
        shell(start + " & pid=$!; for i in $(seq 6000); do [ -s " +
              single_quoted(progress_path(tiny.record(name))) + " ] && break; sleep 0.01; done; " +
              signal + "; wait $pid 2>/dev/null; for i in $(seq 6000); do [ -e " + lock +
              " ] || break; sleep 0.01; done");
    INFO(name << ": " << result.output);
    const RunRecord saved = load_record(tiny.record(name));
    CHECK(saved.status == "interrupted");
    CHECK(saved.resume);
  };
  const std::string more = "--checkpoint-seconds 3600 --set arms[0].train.epochs=5000";
  // Whoever closes the window ends the terminal's program without a word.
  ended("window",
        "script -qec " + single_quoted(tiny.command("window", more)) +
            " /dev/null </dev/null >/dev/null 2>&1",
        "kill -KILL $pid");
  // Told to end, timeout does what it does at its time: the run has the signal twice.
  ended("timeout", "timeout -k 60 3600 " + tiny.command("timeout", more) + " 2>&1",
        "kill -TERM $pid");
}

TEST_CASE("nohup keeps a run from ending with its terminal") {
  const TinyRun tiny("bert");
  const std::string log = single_quoted(tiny.folder / "log");
  const ShellResult result = shell(
      "(trap '' HUP; exec " + tiny.command("a", "--checkpoint-seconds 3600") + ") 2>" + log +
      " & pid=$!; for i in $(seq 6000); do [ -s " + single_quoted(progress_path(tiny.record("a"))) +
      " ] && break; sleep 0.01; done; kill -HUP $pid; wait $pid; echo status $?; cat " + log);
  INFO(result.output);
  CHECK_THAT(result.output, Contains("status 0"));
  CHECK(load_record(tiny.record("a")).status == "finished");
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

// The program itself: runs, kills, resumes, refuses.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "experiment/tiny.h"
#include "record/run_record.h"
#include "setup/shell.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

std::string program() { return single_quoted(std::getenv("MINIBERT_PROGRAM")); }

// A scratch folder with the experiment in it, and the command that runs it.
struct Tiny {
  explicit Tiny(const std::string& arm) : arm(arm) {
    folder.write("tiny.json", tiny_experiment(arm));
  }
  std::string command(const std::string& results, const std::string& more = "") const {
    return program() + " run " + single_quoted((folder.path() / "tiny.json").string()) +
           " --profile quick --threads 1 --no-fetch --results " +
           single_quoted((folder.path() / results).string()) + " " + more;
  }
  std::string record(const std::string& results) const {
    return record_path((folder.path() / results).string(), "tiny", "quick", arm, 1);
  }
  std::string weights(const std::string& results) const {
    return weights_sha256(load_record(record(results)).weights);
  }
  ScratchDir folder;
  std::string arm;
};

}  // namespace

TEST_CASE("a run ends in a finished record with everything a comparison needs") {
  const Tiny tiny("bert");
  const ShellResult result = shell(tiny.command("a"));
  INFO(result.output);
  REQUIRE(result.status == 0);
  const RunRecord record = load_record(tiny.record("a"));
  CHECK(record.status == "finished");
  CHECK(record.summary.at("questions") == 73);
  CHECK(record.summary.at("parameters") > 10000);
  for (const char* name :
       {"exact_match", "f1", "start_accuracy", "end_accuracy", "course_start_accuracy",
        "ms_per_question", "tokens_per_second", "wall_seconds"})
    CHECK(record.summary.count(name) == 1);
  CHECK(record.metrics.at("dev/start_accuracy").value.size() == 2);
  CHECK(record.metrics.count("train/loss") == 1);
  REQUIRE(record.predictions);
  CHECK(record.predictions->id.size() == 73);
  CHECK(record.data.at("id") == "sample");
  CHECK(record.config.at("model").at("vocab_size") == 1500);
  CHECK(!record.resume);
  CHECK_FALSE(record.weights.empty());
  CHECK_FALSE(record.tokenizer_model.empty());
  CHECK_THAT(result.output, Contains("data: sample"));
  CHECK(record.environment.at("threads") == 1);

  SECTION("and the same command leaves it as it is") {
    const auto before = std::filesystem::last_write_time(tiny.record("a"));
    const ShellResult again = shell(tiny.command("a"));
    CHECK(again.status == 0);
    CHECK_THAT(again.output, Contains("finished before, kept"));
    CHECK(std::filesystem::last_write_time(tiny.record("a")) == before);
  }
  SECTION("and another configuration sets it aside, naming the difference") {
    const ShellResult other = shell(tiny.command("a", "--set arms[0].train.epochs=3"));
    CHECK(other.status == 0);
    CHECK_THAT(other.output,
               Contains("was a run of another configuration") && Contains("epochs: 3, was 2"));
    CHECK(load_record(tiny.record("a")).metrics.at("dev/start_accuracy").value.size() == 3);
    CHECK(weights_sha256(load_record(tiny.record("a") + "." + record.started + ".old").weights) ==
          weights_sha256(record.weights));
  }
}

TEST_CASE("the same configuration gives the same weights, bit for bit") {
  const std::string arm = GENERATE("lstm", "bert", "pretrain");
  const Tiny tiny(arm);
  REQUIRE(shell(tiny.command("a")).status == 0);
  REQUIRE(shell(tiny.command("b")).status == 0);
  CHECK(tiny.weights("a") == tiny.weights("b"));
  REQUIRE(shell(tiny.command("c", "--seeds 2")).status == 0);
  const std::string other =
      record_path((tiny.folder.path() / "c").string(), "tiny", "quick", arm, 2);
  CHECK(weights_sha256(load_record(other).weights) != tiny.weights("a"));
}

TEST_CASE("a run killed at any moment goes on and ends with the same weights") {
  const std::string arm = GENERATE("lstm", "bert", "pretrain");
  const Tiny tiny(arm);
  REQUIRE(shell(tiny.command("whole")).status == 0);
  int killed = 0;
  for (const char* delay : {"0.00", "0.03", "0.08", "0.15", "0.25"}) {
    // Starts the run, waits until it has saved a first checkpoint, then kills it after the delay.
    const std::string record = single_quoted(tiny.record("killed"));
    const ShellResult result =
        shell("old=$(stat -c %i " + record + " 2>/dev/null || true); " +
              tiny.command("killed", "--checkpoint-seconds 0 --quiet") +
              " >/dev/null 2>&1 & pid=$!; "
              "for i in $(seq 3000); do now=$(stat -c %i " +
              record +
              " 2>/dev/null || true); "
              "[ -n \"$now\" ] && [ \"$now\" != \"$old\" ] && break; "
              "kill -0 $pid 2>/dev/null || break; sleep 0.01; done; sleep " +
              delay + "; kill -9 $pid 2>/dev/null && echo killed; wait $pid 2>/dev/null; true");
    INFO(result.output);
    const RunRecord after = load_record(tiny.record("killed"));
    CHECK((after.status == "running" || after.status == "finished"));
    if (after.status == "running") {
      REQUIRE(after.resume);
      ++killed;
    }
  }
  CHECK(killed > 0);
  REQUIRE(shell(tiny.command("killed")).status == 0);
  const RunRecord whole = load_record(tiny.record("whole"));
  const RunRecord resumed = load_record(tiny.record("killed"));
  CHECK(weights_sha256(resumed.weights) == weights_sha256(whole.weights));
  REQUIRE(resumed.metrics.size() == whole.metrics.size());
  for (const auto& [name, series] : whole.metrics) {
    INFO(name);
    CHECK(resumed.metrics.at(name).step == series.step);
    CHECK(resumed.metrics.at(name).value == series.value);
  }
}

TEST_CASE("Ctrl-C saves the run and says how to go on") {
  const Tiny tiny("bert");
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
  const Tiny tiny("bert");
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

TEST_CASE("answers and evaluations come from the record alone") {
  const Tiny tiny("bert");
  REQUIRE(shell(tiny.command("a")).status == 0);
  const std::string record = single_quoted(tiny.record("a"));
  const ShellResult answer = shell(program() + " answer --run " + record +
                                   " --context '세종대왕은 1443년에 훈민정음을 창제하였다.' "
                                   "--question '훈민정음은 언제 만들어졌는가?' "
                                   "--n-best 3 --json 2>/dev/null");
  INFO(answer.output);
  REQUIRE(answer.status == 0);
  const auto list = nlohmann::json::parse(answer.output);
  REQUIRE(list.size() == 3);
  CHECK(list[0].at("probability") >= list[1].at("probability"));
  CHECK(list[0].at("start") < list[0].at("end"));
  const ShellResult evaluated = shell(
      program() + " evaluate --run " + record + " --data sample --json --precision " +
      load_record(tiny.record("a")).config.at("precision").get<std::string>() + " 2>/dev/null");
  REQUIRE(evaluated.status == 0);
  const auto metrics = nlohmann::json::parse(evaluated.output);
  const RunRecord stored = load_record(tiny.record("a"));
  CHECK(metrics.at("f1").get<double>() == Approx(stored.summary.at("f1")));
  CHECK(metrics.at("exact_match").get<double>() == Approx(stored.summary.at("exact_match")));
}

TEST_CASE("bad arguments end with status 2 and one line") {
  struct Case {
    const char* name;
    std::string arguments;
    const char* expected;
  };
  const Case cases[] = {
      {"unknown experiment", "run korquad_lstm_vs_brt", "did you mean \"korquad_lstm_vs_bert\"?"},
      {"unknown arm", "run korquad_lstm_vs_bert --profile quick --arms lstn",
       "there is no \"lstn\""},
      {"unknown device", "run korquad_lstm_vs_bert --profile quick --device tpu", "tpu"},
      {"no such record", "answer --run nowhere.h5 --context a --question b", "nowhere.h5"},
      {"empty question", "answer --run nowhere.h5 --context a --question ' '",
       "--question: is empty"},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    const ShellResult result = shell(program() + " " + one.arguments);
    INFO(result.output);
    CHECK(result.status != 0);
    CHECK_THAT(result.output, Contains(one.expected));
  }
}

TEST_CASE("a stored run is made again from its record with the same weights") {
  const Tiny tiny("bert");
  REQUIRE(shell(tiny.command("a")).status == 0);
  const ShellResult result = shell(
      program() + " reproduce --json --quiet --run " + single_quoted(tiny.record("a")) +
      " --results " + single_quoted((tiny.folder.path() / "again").string()) + " 2>/dev/null");
  INFO(result.output);
  REQUIRE(result.status == 0);
  const auto report = nlohmann::json::parse(result.output);
  CHECK(report.at("weights") == "identical");
  CHECK(report.at("tokenizer_identical") == true);
  CHECK(report.at("summary").at("f1").at("stored") ==
        report.at("summary").at("f1").at("reproduced"));
}

// The long way of resume_test.cpp: a thousand kills, full disks, and folders that cannot be written.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/files.h"
#include "core/rng.h"
#include "core/sha256.h"
#include "experiment/tiny.h"
#include "record/progress.h"
#include "record/run_record.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

const std::string kLong = " --set arms[0].train.epochs=120 --set arms[0].train.patience=0";

// The last step that the run's progress log tells; 0 where it tells none.
int64_t last_told_step(const std::string& record) {
  std::istringstream lines(read_file(progress_path(record)));
  int64_t step = 0;
  for (std::string line; std::getline(lines, line);) step = nlohmann::json::parse(line).at("step");
  return step;
}

}  // namespace

TEST_CASE("a run killed hundreds of times goes on and ends with the same weights") {
  const std::string arm = GENERATE("lstm", "bert", "pretrain");
  const TinyRun tiny(arm);
  REQUIRE(shell(tiny.command("whole", kLong)).status == 0);
  Rng rng(1, arm);
  std::vector<double> delays(270);
  for (double& delay : delays) delay = rng.uniform() * 0.15;
  const int killed = kill_repeatedly(tiny, "killed", delays, kLong);
  CHECK(killed >= 200);
  REQUIRE(shell(tiny.command("killed", kLong)).status == 0);
  check_same_run(tiny, "killed", "whole");
}

TEST_CASE(
    "signals at any distance, timeout -k and a closed terminal cost no step of a checkpoint") {
  const std::string arm = GENERATE("lstm", "bert", "pretrain");
  const TinyRun tiny(arm);
  REQUIRE(shell(tiny.command("whole", kLong)).status == 0);
  Rng rng(1, arm);
  const auto any = [&](const std::vector<std::string>& of) {
    return of[static_cast<size_t>(rng.uniform() * static_cast<double>(of.size()))];
  };
  const std::string record = single_quoted(tiny.record("ended"));
  constexpr int kTimes = 60;
  int64_t before = 0;
  for (int i = 0; i < kTimes; ++i) {
    // Every second run saves after each step, so that signals meet a save.
    std::string command =
        tiny.command("ended", kLong + " --checkpoint-seconds " + any({"0", "3600"}));
    std::string signals;
    const bool killed = i % 4 == 1;
    if (i % 4 == 0) {
      command = "script -qec " + single_quoted(command) + " /dev/null </dev/null";
      signals = "kill -KILL $pid";
    } else if (killed) {
      command = "timeout -k " + std::to_string(0.01 + 0.2 * rng.uniform()) + " 3600 " + command;
      signals = "kill -TERM $pid";
    } else {
      for (double more = 1 + 5 * rng.uniform(); more > 0; --more)
        signals += "kill -" + any({"INT", "TERM", "HUP"}) + " $pid 2>/dev/null; sleep " +
                   std::to_string(0.05 * rng.uniform()) + "; ";
    }
    const ShellResult result =
        shell(command + " >/dev/null 2>&1 & pid=$!; sleep " +
              std::to_string(0.5 + 1.5 * rng.uniform()) + "; " + signals +
              "\nwait $pid 2>/dev/null; for i in $(seq 6000); do kill -0 $(sed -n "
              "'s/process \\([0-9]*\\) .*/\\1/p' " +
              record +
              ".lock 2>/dev/null) 2>/dev/null "
              "|| break; sleep 0.01; done");
    INFO(i << ": " << signals << "\n" << result.output);
    if (!std::filesystem::exists(tiny.record("ended"))) continue;  // before the first checkpoint
    const RunRecord after = load_record(tiny.record("ended"));
    if (after.status == "finished") break;
    REQUIRE(after.resume);
    const int64_t step = after.resume->numbers.at("step");
    CHECK(step >= before);
    // Unless it was killed, the run saved its last step before it ended.
    if (!killed) CHECK(step >= last_told_step(tiny.record("ended")));
    before = step;
  }
  CHECK(before > 0);
  REQUIRE(shell(tiny.command("ended", kLong)).status == 0);
  check_same_run(tiny, "ended", "whole");
}

TEST_CASE("a disk that is full at any point costs no record, and the same command goes on") {
  const TinyRun tiny("bert");
  REQUIRE(shell(tiny.command("whole")).status == 0);
  const auto size = std::filesystem::file_size(tiny.record("whole"));
  Rng rng(1, "disk");
  constexpr int kTimes = 40;
  for (int i = 0; i < kTimes; ++i) {
    const std::string results = "full" + std::to_string(i);
    // KiB, from nothing to more than a checkpoint needs.
    const auto limit = static_cast<int64_t>(rng.uniform() * 3 * static_cast<double>(size) / 1024);
    const ShellResult full = shell("trap '' XFSZ; ulimit -f " + std::to_string(limit) + "; " +
                                   tiny.command(results, "--checkpoint-seconds 0 --quiet"));
    INFO("limit " << limit << " KiB\n" << full.output);
    REQUIRE((full.status == 0 || full.status == 1));
    if (std::filesystem::exists(tiny.record(results))) load_record(tiny.record(results));
    REQUIRE(shell(tiny.command(results)).status == 0);
    check_same_run(tiny, results, "whole");
  }
}

TEST_CASE(
    "a folder that may not be written is an error before any training, and keeps what is there") {
  const TinyRun tiny("bert");
  REQUIRE(
      shell(tiny.command("a", "--checkpoint-seconds 0 --set arms[0].train.max_steps=20")).status ==
      0);
  const std::string before = sha256_file(tiny.record("a"));
  const std::string folder = single_quoted(tiny.folder.path());
  constexpr int kTimes = 20;
  for (int i = 0; i < kTimes; ++i) {
    // As somebody else, for root may write anywhere.
    const ShellResult refused = shell("chmod -R a+rX,go-w " + folder +
                                      "; setpriv --reuid=65534 --regid=65534 --clear-groups " +
                                      tiny.command("a", "--set arms[0].train.epochs=3"));
    INFO(refused.output);
    REQUIRE(refused.status != 0);
    REQUIRE_THAT(refused.output, Contains("ermission denied"));
    REQUIRE(sha256_file(tiny.record("a")) == before);
  }
}

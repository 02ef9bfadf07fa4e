// The long way of resume_test.cpp: a thousand kills, full disks, and folders that cannot be written.
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/files.h"
#include "core/rng.h"
#include "core/sha256.h"
#include "experiment/tiny.h"
#include "record/run_record.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

const std::string kLong = " --set arms[0].train.epochs=120 --set arms[0].train.patience=0";

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

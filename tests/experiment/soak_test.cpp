// The long way of resume_test.cpp: a thousand kills, full disks, folders that cannot be written, second
// programs and clocks that go backwards. Prints a table of what was survived.
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "core/files.h"
#include "core/rng.h"
#include "core/sha256.h"
#include "experiment/survival.h"
#include "experiment/tiny.h"
#include "record/run_record.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

const std::string kLong = " --set arms[0].train.epochs=120 --set arms[0].train.patience=0";

// A file that `make` writes, killed at random moments of `seconds`: there is always a whole one, the
// old or the new. Returns how often it was killed and still at work.
int kill_writer(const std::string& make, const std::string& file, int times, double seconds) {
  REQUIRE(shell(make).status == 0);
  const std::string whole = sha256_file(file);
  Rng rng(1, file);
  int killed = 0;
  for (int i = 0; i < times; ++i) {
    const ShellResult result =
        shell(make + " >/dev/null 2>&1 & pid=$!; sleep " + std::to_string(rng.uniform() * seconds) +
              "; kill -9 $pid 2>/dev/null && echo killed; wait $pid 2>/dev/null; true");
    killed += contains(result.output, "killed");
    REQUIRE(sha256_file(file) == whole);
  }
  return killed;
}

std::string interrupted_weights(const TinyRun& tiny, const std::string& results) {
  const RunRecord record = load_record(tiny.record(results));
  REQUIRE(record.resume);
  return weights_sha256(record.resume->tensors);
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
  Survival::table().add(
      "training and saving (" + arm + "): kill -9, record opens, same weights at the end", killed,
      killed);
}

TEST_CASE("an export and a data set that are killed leave the whole file that was there") {
  const TinyRun tiny("pretrain");
  REQUIRE(shell(tiny.command("whole")).status == 0);
  const std::string mbq = tiny.folder / "model.mbq", rows = tiny.folder / "rows.h5";
  const int exports =
      kill_writer(program() + " export --run " + single_quoted(tiny.record("whole")) + " --out " +
                      single_quoted(mbq),
                  mbq, 150, 0.5);
  const int instances =
      kill_writer(program() + " data instances --text experiments/sample/corpus.txt --tokenizer " +
                      single_quoted(tiny.record("whole")) + " --out " + single_quoted(rows),
                  rows, 150, 0.3);
  CHECK(exports > 50);
  CHECK(instances > 50);
  Survival::table().add("exporting: kill -9, the old file is whole", exports, exports);
  Survival::table().add("writing instances: kill -9, the old file is whole", instances, instances);
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
  Survival::table().add("disk full: status 1, then the same command ends with the same weights",
                        kTimes, kTimes);
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
  Survival::table().add("folder read-only: refused, the record stays", kTimes, kTimes);
}

TEST_CASE("of two programs on one run the second is refused, however often") {
  const TinyRun tiny("bert");
  const std::string record = single_quoted(tiny.record("a"));
  const ShellResult result =
      shell(tiny.command("a", "--checkpoint-seconds 0 --quiet" + kLong) +
            " >/dev/null 2>&1 & pid=$!; until [ -e " + record +
            " ]; do sleep 0.01; done; for i in $(seq 50); do " + tiny.command("a", kLong) +
            " >/dev/null 2>&1; [ $? = 1 ] && kill -0 $pid && echo refused; done; kill -9 $pid; "
            "wait $pid 2>/dev/null; true");
  int refused = 0;
  for (size_t at = 0; (at = result.output.find("refused", at)) != std::string::npos; ++at)
    ++refused;
  CHECK(refused == 50);
  CHECK_FALSE(interrupted_weights(tiny, "a").empty());
  Survival::table().add("two programs on one run: the second is refused", 50, refused);
}

TEST_CASE("a clock that goes backwards costs no record that was set aside") {
  const TinyRun tiny("lstm");
  tiny.folder.write("clock.c", R"(
#define _GNU_SOURCE
#include <time.h>
#include <sys/syscall.h>
#include <unistd.h>
static long calls;
int clock_gettime(clockid_t id, struct timespec* out) {
  long status = syscall(SYS_clock_gettime, id, out);
  if (id == CLOCK_REALTIME) out->tv_sec = 1700000000 - calls++ / 50, out->tv_nsec = 0;
  return (int)status;
}
time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return out ? (*out = now.tv_sec) : now.tv_sec;
}
)");
  const std::string shim = tiny.folder / "clock.so";
  REQUIRE(shell("cc -shared -fPIC -o " + single_quoted(shim) + " " +
                single_quoted(tiny.folder / "clock.c"))
              .status == 0);
  constexpr int kTimes = 20;
  std::set<std::string> weights;
  for (int i = 0; i < kTimes; ++i) {
    const ShellResult result =
        shell("LD_PRELOAD=" + single_quoted(shim) + " " +
              tiny.command("a", "--set arms[0].train.max_steps=" + std::to_string(i + 1)));
    INFO(result.output);
    REQUIRE(result.status == 0);
    weights.insert(tiny.weights("a"));
  }
  int records = 0;
  std::set<std::string> kept;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tiny.folder / "a"))
    if (entry.path().extension() == ".h5" || entry.path().extension() == ".old") {
      kept.insert(weights_sha256(load_record(entry.path()).weights));
      ++records;
    }
  CHECK(records == kTimes);
  CHECK(kept == weights);
  Survival::table().add("clock standing still or going backwards: every record set aside is kept",
                        kTimes, records);
}

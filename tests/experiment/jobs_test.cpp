// Several runs of an experiment at once.
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/files.h"
#include "experiment/tiny.h"
#include "record/run_record.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

std::string record_of(const TinyRun& tiny, const std::string& results, int seed) {
  return record_path(tiny.folder / results, "tiny", "quick", tiny.arm, seed);
}

}  // namespace

TEST_CASE("threads that wait for each other sleep, unless the user says otherwise") {
  const TinyRun tiny("bert");
  const auto spins = [&](const std::string& given) {  // what a training's OpenMP has been told
    return shell("env -u GOMP_SPINCOUNT -u OMP_WAIT_POLICY " + given + " " +
                 tiny.command("a", "--quiet --set arms[bert].train.epochs=500") +
                 " >/dev/null 2>&1 & pid=$!; for i in $(seq 1000); do [ -e " +
                 single_quoted(tiny.record("a")) +
                 " ] && break; sleep 0.01; done; tr '\\0' '\\n' </proc/$pid/environ | "
                 "grep GOMP_SPINCOUNT; kill -9 $pid; wait $pid 2>/dev/null; rm -r " +
                 single_quoted(tiny.record("a")))
        .output;
  };
  CHECK(spins("") == "GOMP_SPINCOUNT=1000\n");
  CHECK(spins("GOMP_SPINCOUNT=7") == "GOMP_SPINCOUNT=7\n");
  CHECK(spins("OMP_WAIT_POLICY=active") == "");
}

TEST_CASE("runs made at once are those made one after another, and end in the same table") {
  const TinyRun tiny("lstm");
  const ShellResult one = tiny.run("one", "--seeds 1,2,3 --quiet 2>/dev/null");
  const ShellResult many = tiny.run("many", "--seeds 1,2,3 --jobs 2 2>/dev/null");
  REQUIRE(one.status == 0);
  REQUIRE(many.status == 0);
  CHECK_THAT(many.output, Contains("3 runs") || Contains("lstm"));
  for (int seed = 1; seed <= 3; ++seed) {
    const RunRecord a = load_record(record_of(tiny, "one", seed));
    const RunRecord b = load_record(record_of(tiny, "many", seed));
    CHECK(weights_sha256(a.weights) == weights_sha256(b.weights));
    CHECK(b.environment.at("threads") == 1);
  }
  const ShellResult again = tiny.run("many", "--seeds 1,2,3 --jobs 3");
  CHECK(again.status == 0);
  CHECK_THAT(again.output, Contains("lstm seed 2: ") && Contains("finished before, kept"));
}

TEST_CASE("a run that fails among others is told by its last line, and the others are made") {
  const TinyRun tiny("lstm");
  // Where the second run's record should be is a folder.
  std::filesystem::create_directories(record_of(tiny, "a", 2));
  const ShellResult result = tiny.run("a", "--seeds 1,2,3 --jobs 2");
  CHECK(result.status == 1);
  CHECK_THAT(result.output, Contains("lstm seed 2: ") && Contains("is a folder"));
  CHECK(load_record(record_of(tiny, "a", 1)).status == "finished");
  CHECK(load_record(record_of(tiny, "a", 3)).status == "finished");
  std::filesystem::remove_all(record_of(tiny, "a", 1));
  std::filesystem::create_directories(record_of(tiny, "a", 1));
  const ShellResult two = tiny.run("a", "--seeds 1,2,3 --jobs 2");
  CHECK_THAT(two.output,
             Contains("lstm seed 1: " + record_of(tiny, "a", 1) + ": is a folder") &&
                 Contains("lstm seed 2: " + record_of(tiny, "a", 2) + ": is a folder") &&
                 Contains("2 of 3 runs failed; the same command tries them again"));
}

TEST_CASE("a signal saves all runs that are made at once, and begins no further one") {
  const TinyRun tiny("lstm");
  const std::string more =
      " --seeds 1,2,3 --jobs 2 --checkpoint-seconds 0 --set arms[0].train.epochs=500";
  for (const std::string signal : {"INT", "HUP"}) {
    const std::string first = single_quoted(record_of(tiny, signal, 1)),
                      second = single_quoted(record_of(tiny, signal, 2));
    const ShellResult result =
        shell(tiny.command(signal, more) + " & pid=$!; until [ -e " + first + " ] && [ -e " +
              second + " ]; do sleep 0.05; kill -0 $pid || break; done; kill -" + signal +
              " $pid; kill -" + signal + " $pid; wait $pid; echo status $?");
    INFO(result.output);
    CHECK_THAT(result.output,
               Contains("status 1") && Contains("the same command goes on from there"));
    CHECK(load_record(record_of(tiny, signal, 1)).status == "interrupted");
    CHECK(load_record(record_of(tiny, signal, 2)).status == "interrupted");
    CHECK_FALSE(std::filesystem::exists(record_of(tiny, signal, 3)));
  }
}

TEST_CASE("--jobs goes with neither --only nor several processes a run") {
  const TinyRun tiny("lstm");
  CHECK(tiny.run("a", "--jobs 2 --only 1").status == 2);
  CHECK(tiny.run("a", "--jobs 0").status == 2);
  const ShellResult together =
      shell("RANK=0 LOCAL_RANK=0 WORLD_SIZE=2 MASTER_ADDR=localhost MASTER_PORT=29599 " +
            tiny.command("a", "--jobs 2"));
  CHECK(together.status == 2);
  CHECK_THAT(together.output, Contains("--jobs: found 2 in one of 2 processes"));
}

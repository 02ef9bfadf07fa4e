// The long way of resume_test.cpp: longer runs, killed dozens of times at random moments.
#include <catch2/catch.hpp>

#include "core/rng.h"
#include "experiment/tiny.h"

using namespace minibert;
using namespace minibert::testing;

TEST_CASE("a run killed dozens of times goes on and ends with the same weights") {
  const std::string arm = GENERATE("lstm", "bert", "pretrain");
  const TinyRun tiny(arm);
  const std::string epochs = " --set arms[0].train.epochs=60 --set arms[0].train.patience=0";
  REQUIRE(shell(tiny.command("whole", epochs)).status == 0);
  Rng rng(1, arm);
  std::vector<double> delays(60);
  for (double& delay : delays) delay = rng.uniform() * 0.6;
  CHECK(kill_repeatedly(tiny, "killed", delays, epochs) >= 20);
  REQUIRE(shell(tiny.command("killed", epochs)).status == 0);
  check_same_run(tiny, "killed", "whole");
}

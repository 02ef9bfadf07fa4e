// A run and the same run again: every kind of difference is told apart.
#include "record/reproduction.h"

#include <catch2/catch.hpp>
#include <functional>

#include "record/inputs.h"
#include "support/sample_record.h"

namespace minibert {
namespace {

using testing::sample_record;

constexpr double kTolerance = 1e-3;

std::string unequal(const Reproduction& found) {
  std::string out;
  for (const PartComparison& part : found.parts)
    if (part.likeness != Likeness::equal)
      out += part.part + (part.likeness == Likeness::near ? " near: " : " different: ") +
             part.detail + "\n";
  return out;
}

TEST_CASE("what is equal, near or different is said part by part") {
  struct Case {
    const char* name;
    std::function<void(RunRecord&)> change;
    std::string unequal;
    bool reproduced;
  };
  const Case cases[] = {
      {"the same", [](RunRecord&) {}, "", true},
      {"other times only",
       [](RunRecord& r) { r.started = "2027-01-01T00:00:00Z", r.summary["wall_seconds"] = 9; }, "",
       true},
      {"a metric in the last digits",
       [](RunRecord& r) { r.metrics["train/loss"].value[1] = 7.251; },
       "metric train/loss near: from step 20: stored 7.25, here 7.251; at most 0.0137912 % apart\n",
       true},
      {"a metric from its second value on",
       [](RunRecord& r) { r.metrics["train/loss"].value[1] = 8; },
       "metric train/loss different: from step 20: stored 7.25, here 8; at most 9.375 % apart\n",
       false},
      {"a run that ended earlier", [](RunRecord& r) { r.metrics["dev/f1"] = {}; },
       "metric dev/f1 different: stored at 1 steps, here at 0\n", false},
      {"a figure", [](RunRecord& r) { r.summary["f1"] = 41; },
       "figure f1 different: stored 41.5, here 41\n", false},
      {"a figure that is gone", [](RunRecord& r) { r.summary.erase("f1"); },
       "figure f1 different: not there\n", false},
      {"predictions",
       [](RunRecord& r) {
         r.predictions->texts["prediction"][1] = "1443년",
         r.predictions->numbers["score"][0] = 0.7501;
       },
       "predictions prediction different: 1 of 3 differ\npredictions score near: 1 of 3 differ\n",
       false},
      {"weights alone", [](RunRecord& r) { r.weights[1].values[0] = 3; },
       "weights different: another SHA-256\n", true},
      {"another tokenizer", [](RunRecord& r) { r.tokenizer_model += "x"; },
       "inputs different: tokenizer: stored ce312d5fc746, here 79e36baf4fe7\n", false},
      {"other data",
       [](RunRecord& r) {
         r.data["files"] = {{{"name", "a.txt"}, {"sha256", "ff"}}};
       },
       "inputs different: data file a.txt: stored none, here ff\n", false},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    RunRecord made = sample_record();
    one.change(made);
    const Reproduction found = compare_reproduction(sample_record(), made, kTolerance);
    CHECK(unequal(found) == one.unequal);
    CHECK(found.reproduced == one.reproduced);
  }
}

TEST_CASE("weights that were not kept are compared by their sum") {
  RunRecord stored = sample_record();
  const RunRecord made = sample_record();
  stored.dropped_weights = weights_sha256(stored.weights);
  stored.weights.clear();
  CHECK(unequal(compare_reproduction(stored, made, kTolerance)) == "");
  CHECK(compare_reproduction(stored, made, kTolerance).parts.back().part == "weights");
  stored.dropped_weights = "00";
  CHECK(unequal(compare_reproduction(stored, made, kTolerance)) ==
        "weights different: another SHA-256\n");
}

TEST_CASE("start weights count where both records name them") {
  RunRecord stored = sample_record(), made = sample_record();
  made.data[kStartWeights] = "ff";
  CHECK(input_differences(stored, made).empty());
  stored.data[kStartWeights] = "00";
  CHECK(input_differences(stored, made) ==
        std::vector<std::string>{"start weights: stored 00, here ff"});
}

TEST_CASE("what differs between two machines is said with what it changes") {
  const nlohmann::json stored = {{"cpu", "AMD EPYC"},
                                 {"precision", "bf16"},
                                 {"threads", 1},
                                 {"device", "cpu"},
                                 {"blas", {{"name", "OpenBLAS Haswell"}}}};
  CHECK(environment_differences(stored, stored).empty());
  nlohmann::json here = stored;
  here["blas"]["name"] = "OpenBLAS Cooperlake";
  here["threads"] = 2;
  const auto lines = environment_differences(stored, here);
  REQUIRE(lines.size() == 2);
  CHECK_THAT(lines[0], Catch::StartsWith("threads: stored 1, here 2: "));
  CHECK_THAT(lines[1],
             Catch::StartsWith("BLAS: stored OpenBLAS Haswell, here OpenBLAS Cooperlake: "));
  // The program counts, not the source tree that lay around it.
  here = stored;
  here["git"] = {{"commit", "3086c27"}, {"dirty", true}};
  CHECK(environment_differences(here, stored).empty());
  here["libraries"]["minibert"] = "0.2.0 (276fb99) with local changes";
  CHECK(environment_differences(here, here).size() == 1);
}

TEST_CASE("by one figure a run is reproduced where that is near or better, whatever its steps") {
  const RunRecord stored = sample_record();  // f1 41.5
  constexpr Measure kHigher{.name = "f1", .heading = "F1", .decimals = 1, .better = Better::higher};
  Measure lower = kHigher;
  lower.better = Better::lower;
  const auto found = [&](double f1, const Measure& measure) {
    RunRecord made = stored;
    made.metrics["train/loss"] = {};
    made.summary["f1"] = f1;
    return compare_figure(stored, made, measure, 0.01);
  };
  CHECK(unequal(found(41.5, kHigher)).empty());
  CHECK(unequal(found(41.2, kHigher)) == "figure f1 near: stored 41.5, here 41.2\n");
  CHECK(found(41.2, kHigher).reproduced);
  CHECK(unequal(found(45, kHigher)) ==
        "figure f1 different: stored 41.5, here 45, which is better\n");
  CHECK(found(45, kHigher).reproduced);
  CHECK_FALSE(found(45, lower).reproduced);
  CHECK_FALSE(found(40, kHigher).reproduced);
  CHECK(found(40, lower).reproduced);
  RunRecord other = stored;
  other.tokenizer_model += "x";
  CHECK_FALSE(compare_figure(stored, other, kHigher, 0.01).reproduced);
  other.summary.erase("f1");
  CHECK_FALSE(compare_figure(stored, other, kHigher, 0.01).reproduced);
  CHECK_THROWS_WITH(compare_figure(other, stored, kHigher, 0.01),
                    "--figure: found \"f1\", which the stored run does not have");
}

}  // namespace
}  // namespace minibert

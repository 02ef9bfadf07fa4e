// Two runs side by side.
#include "compare/pair.h"

#include <catch2/catch.hpp>

#include "compare/sample_runs.h"
#include "support/message.h"

namespace minibert {
namespace {

using testing::finished_run;
using testing::kMeasures;
using testing::message_of;

TEST_CASE("keys that differ between two runs are told with both values, an arm's by its own name") {
  RunRecord a = finished_run("lstm", 1, {1, 0}, {1, 0}), b = a;
  CHECK(key_differences(a, b).empty());
  a.config = {{"seed", 1},
              {"arms", {{{"name", "lstm"}, {"train", {{"epochs", 5}}}}}},
              {"model", {{"kind", "lstm"}}}};
  b.config = {{"seed", 1},
              {"arms", {{{"name", "lstm"}, {"train", {{"epochs", 3}, {"patience", 2}}}}}},
              {"model", {{"kind", "lstm"}}}};
  b.environment["threads"] = 1;
  b.data["id"] = "sample";
  std::string found;
  for (const KeyDifference& one : key_differences(a, b))
    found += one.key + " " + one.first.dump() + " " + one.second.dump() + "\n";
  CHECK(found ==
        "train.epochs 5 3\n"
        "train.patience null 2\n"
        "environment.threads 2 1\n"
        "data.id \"korquad-v1-dev-split\" \"sample\"\n");
}

TEST_CASE("examples that only one of two runs gets right are found by their ids") {
  const RunRecord a = finished_run("lstm", 1, {1, 0, 1, 0}, {1, 0.2, 1, 0.5});
  RunRecord b = finished_run("bert", 1, {1, 1, 0, 0}, {1, 1, 0.4, 0.9});
  std::swap(b.predictions->id[1], b.predictions->id[2]);
  std::swap(b.predictions->numbers["exact_match"][1], b.predictions->numbers["exact_match"][2]);
  const ExamplePairs pairs = pair_examples(a, b, "", kMeasures);
  CHECK(pairs.figure == "exact_match");
  CHECK(pairs.examples == 4);
  CHECK(pairs.both_right == 1);
  REQUIRE(pairs.first_better.size() == 1);
  CHECK(pairs.first_better[0].id == "6548850-0-2");
  CHECK(pairs.first_better[0].gold == "훈민정음");
  REQUIRE(pairs.second_better.size() == 1);
  CHECK(pairs.second_better[0].id == "6548850-0-1");

  const ExamplePairs by_f1 = pair_examples(a, b, "f1", kMeasures);
  REQUIRE(by_f1.second_better.size() == 2);
  CHECK(by_f1.second_better[0].second - by_f1.second_better[0].first >=
        by_f1.second_better[1].second - by_f1.second_better[1].first);
}

TEST_CASE("examples of one run alone are counted") {
  const RunRecord a = finished_run("lstm", 1, {1, 0, 1}, {1, 0, 1});
  const RunRecord b = finished_run("bert", 1, {1, 0}, {1, 0});
  const ExamplePairs pairs = pair_examples(a, b, "", kMeasures);
  CHECK(pairs.examples == 2);
  CHECK(pairs.first_alone == 1);
  CHECK(pairs.second_alone == 0);
}

TEST_CASE("without a figure an answer is right when it is the gold one") {
  RunRecord a = finished_run("lstm", 1, {1, 0}, {1, 0});
  a.predictions->numbers.clear();
  RunRecord b = a;
  b.predictions->texts["prediction"][1] = "훈민정음";
  const ExamplePairs pairs = pair_examples(a, b, "", kMeasures);
  CHECK(pairs.figure == "right");
  CHECK(pairs.both_right == 1);
  CHECK(pairs.second_better.size() == 1);
}

TEST_CASE("what cannot be compared by example is said") {
  const RunRecord a = finished_run("lstm", 1, {1, 0}, {1, 0});
  RunRecord other = a;
  CHECK_THAT(message_of([&] { pair_examples(a, a, "macro_f1", kMeasures); }),
             Catch::Contains("--by: found macro_f1, expected a figure of examples of both runs: "
                             "exact_match, f1"));
  other.predictions->id = {"x", "y"};
  CHECK(message_of([&] { pair_examples(a, other, "", kMeasures); }) ==
        "the two runs predicted different examples");
  // Another data set's "6548850-0-1" is another example.
  other = a;
  other.predictions->texts["gold"][1] = "한글";
  CHECK(
      message_of([&] { pair_examples(a, other, "", kMeasures); }) ==
      "the two runs predicted different examples: '6548850-0-1' has another right answer in each");
  RunRecord one = a;
  one.data["files"] = {{{"name", "test.csv"}, {"split", "test"}, {"sha256", "b1"}}};
  other = a;
  other.data["files"] = {{{"name", "test.csv"}, {"split", "test"}, {"sha256", "b2"}}};
  CHECK(message_of([&] { pair_examples(one, other, "", kMeasures); }) ==
        "the two runs predicted different examples: the second is measured on another test file "
        "(test.csv, SHA-256 b2…)");
  other.predictions.reset();
  CHECK(message_of([&] { pair_examples(a, other, "", kMeasures); }) ==
        "a run without predictions has no examples to compare");
}

}  // namespace
}  // namespace minibert

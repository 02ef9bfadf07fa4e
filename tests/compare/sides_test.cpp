// A comparison's input from stored runs, before it computes anything.
#include "compare/sides.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "compare/sample_runs.h"

namespace minibert {
namespace {

using testing::add_two_arms;
using testing::Experiment;
using testing::finished_run;

TEST_CASE("sides are plain data: names, summaries by seed and predictions by example") {
  Experiment e;
  add_two_arms(e);
  const Sides sides = load_sides(e.paths, {});
  CHECK(sides.experiments == std::vector<std::string>{"korquad_lstm_vs_bert"});
  CHECK(sides.examples == 4);
  CHECK_FALSE(sides.examples_chosen);
  REQUIRE(sides.all.size() == 2);
  CHECK(sides.all[0].names.label == "lstm");  // it started first
  CHECK(sides.all[1].names.seeds == std::vector<int64_t>{1, 2});
  CHECK(sides.all[1].summaries[1].at("wall_seconds") == 102);
  REQUIRE(sides.all[1].aligned.size() == 2);
  CHECK(sides.all[1].aligned[1].predictions.numbers.at("exact_match") ==
        std::vector<double>{1, 0, 1, 1});
}

TEST_CASE("a run's predictions are put in the order of the first run, without examples left out") {
  Experiment e;
  e.add(finished_run("lstm", 1, {0, 0, 1, 0}, {0, 0, 1, 0}));
  RunRecord other = finished_run("bert", 1, {1, 0, 1, 0}, {0.9, 0.1, 0.8, 0.2});
  std::ranges::reverse(other.predictions->id);
  e.add(other);
  const Sides sides = load_sides(e.paths, {.left_out = {"6548850-0-1"}});
  CHECK(sides.examples == 3);
  CHECK(sides.left_out == 1);
  CHECK(sides.examples_chosen);
  REQUIRE(sides.all.size() == 2);
  const Predictions& predictions = sides.all[1].aligned.at(0).predictions;
  CHECK(predictions.id == std::vector<std::string>{"6548850-0-0", "6548850-0-2", "6548850-0-3"});
  CHECK(predictions.numbers.at("f1") == std::vector<double>{0.2, 0.1, 0.9});
  CHECK(predictions.texts.at("prediction") == std::vector<std::string>{"정음", "정음", "훈민정음"});
}

TEST_CASE("arms that others cannot train again are named with the reason") {
  Experiment e;
  RunRecord own = finished_run("lstm", 1, {0, 1}, {0, 1}), started = own, whole = own;
  own.data["id"] = "nsmc";
  started.arm = "bert", started.seed = 2;
  started.config = {{"arms", {{{"name", "bert"}, {"init_from", "nowhere/start-s{seed}.h5"}}}}};
  whole.arm = "overlap";
  for (const RunRecord& run : {own, started, whole}) e.add(run);
  const auto is_public = [](const std::string& id) { return id != "nsmc"; };
  const std::vector<std::string> lost = load_sides(e.paths, {.is_public = is_public}).warnings;
  const auto has = [&](const std::string& line) { return std::ranges::count(lost, line) == 1; };
  CHECK(has("others cannot train these again: lstm (their data nsmc have no public address)"));
  CHECK(
      has("to train these again, train their start first: bert (nowhere/start-s2.h5 is not here)"));
  CHECK(load_sides(e.paths, {}).warnings.size() + 2 == lost.size());
}

TEST_CASE("examples of other texts or other test files are not compared, whatever their ids") {
  Experiment e;
  RunRecord first = finished_run("lstm", 1, {0, 0, 1, 0}, {0, 0, 1, 0});
  RunRecord other = finished_run("bert", 1, {1, 0, 1, 0}, {0.9, 0.1, 0.8, 0.2});
  const auto file = [](const char* split, const char* sha256) {
    return nlohmann::json{
        {"name", std::string(split) + ".csv"}, {"split", split}, {"sha256", sha256}};
  };
  first.data["files"] = {file("train", "a1"), file("test", "b1")};
  std::string why;
  SECTION("the test file is another one") {
    other.data["files"] = {file("train", "a1"), file("test", "b2")};
    why = ": is measured on another test file (test.csv, SHA-256 b2…) than in ";
  }
  SECTION("only other files differ") {
    other.data["files"] = {file("train", "a2"), file("test", "b1")};
  }
  SECTION("runs that are measured on dev learnt from other files") {
    first.data["files"] = {file("train", "a1"), file("dev", "b1")};
    other.data["files"] = {file("train", "a2"), file("dev", "b1")};
  }
  SECTION("the texts are stored and differ") {
    first.predictions->texts["text"] = {"가", "나", "다", "라"};
    other.predictions->texts["text"] = {"가", "나", "마", "라"};
    why = ": example '6548850-0-2' has another text than in ";
  }
  SECTION("the texts are stored and alike, so that the file does not count") {
    first.predictions->texts["text"] = other.predictions->texts["text"] = {"가", "나", "다", "라"};
    other.data["files"] = {file("test", "b2")};
  }
  e.add(first);
  e.add(other);
  const Sides sides = load_sides(e.paths, {});
  CHECK(sides.all.at(1).aligned.empty() == !why.empty());
  REQUIRE(sides.warnings.size() == (why.empty() ? 0 : 1));
  if (!why.empty())
    CHECK(sides.warnings[0] == e.paths[1] + why + e.paths[0] + "; no intervals for arm 'bert'");
}

TEST_CASE("examples of the same ids with other right answers are not compared") {
  Experiment e;
  e.add(finished_run("lstm", 1, {0, 0, 1, 0}, {0, 0, 1, 0}));
  RunRecord other = finished_run("bert", 1, {1, 0, 1, 0}, {0.9, 0.1, 0.8, 0.2});
  other.predictions->texts["gold"][2] = "한글";
  e.add(other);
  const Sides sides = load_sides(e.paths, {});
  CHECK(sides.all.at(1).aligned.empty());
  REQUIRE(sides.warnings.size() == 1);
  CHECK_THAT(sides.warnings[0],
             Catch::Contains("example '6548850-0-2' has another right answer than in ") &&
                 Catch::Contains("no intervals for arm 'bert'"));
}

TEST_CASE("examples of the same ids with other right numbers are not compared") {
  Experiment e;
  for (const char* arm : {"lstm", "bert", "bag"}) {
    RunRecord run = finished_run(arm, 1, {0, 0, 1, 0}, {0, 0, 1, 0});
    run.predictions->texts.clear();
    run.predictions->numbers["gold"] = {0, 2.5, std::string(arm) == "bag" ? 4.0 : 5.0, 1};
    run.predictions->numbers["prediction"] = {0, 2, 5, 1};
    e.add(run);
  }
  const Sides sides = load_sides(e.paths, {});
  CHECK(sides.all.at(1).aligned.size() == 1);
  CHECK(sides.all.at(2).aligned.empty());
  REQUIRE(sides.warnings.size() == 1);
  CHECK_THAT(sides.warnings[0],
             Catch::StartsWith(e.paths[2] + ": example '6548850-0-2' has another right answer") &&
                 Catch::Contains("no intervals for arm 'bag'"));
}

TEST_CASE("the examples that are compared are those that most arms have, whoever started first") {
  Experiment e;
  e.add(finished_run("lstm", 1, {0, 1, 0}, {0, 1, 0}));  // which starts before all others
  e.add(finished_run("bert", 1, {0, 0, 1, 0}, {0, 0, 1, 0}));
  e.add(finished_run("bert-large", 1, {1, 0, 1, 0}, {1, 0, 1, 0}));
  const Sides sides = load_sides(e.paths, {});
  CHECK(sides.all.at(0).names.label == "lstm");
  CHECK(sides.examples == 4);
  CHECK(sides.all.at(0).aligned.empty());
  CHECK(sides.all.at(1).aligned.size() == 1);
  CHECK(sides.all.at(2).aligned.size() == 1);
  CHECK(sides.warnings == std::vector<std::string>{e.paths[0] + ": has 3 examples, " + e.paths[1] +
                                                   " 4; no intervals for arm 'lstm'"});
  // An odd arm's own examples do not matter if none of them is left.
  CHECK(load_sides(e.paths, {.left_out = {"6548850-0-0", "6548850-0-1", "6548850-0-2"}}).examples ==
        1);
}

TEST_CASE("runs of one arm with other settings are told") {
  Experiment e;
  for (const int64_t seed : {1, 2, 3}) {
    RunRecord run = finished_run("bert", seed, {1, 0}, {1, 0});
    run.config = {{"seed", seed},
                  {"arms", {{{"name", "bert"}, {"train", {{"epochs", seed == 3 ? 9 : 5}}}}}}};
    e.add(run);
  }
  const Sides sides = load_sides(e.paths, {});
  REQUIRE(sides.unequal.size() == 1);
  CHECK(sides.unequal[0] ==
        "the runs of arm 'bert' differ in train.epochs (5, 9): they are not seeds of one arm");
  CHECK(load_sides(e.paths, {.group_by = {"train.epochs"}}).unequal.empty());
}

TEST_CASE("one side needs no predictions") {
  Experiment e;
  e.add(finished_run("lstm", 1, {0, 0, 1, 0}, {0, 0, 1, 0}));
  const Sides sides = load_sides(e.paths, {});
  CHECK(sides.examples == 0);
  CHECK(sides.all.at(0).aligned.empty());
}

}  // namespace
}  // namespace minibert

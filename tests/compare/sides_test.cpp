// What a comparison takes from stored runs, before it computes anything.
#include "compare/sides.h"

#include <algorithm>
#include <catch2/catch.hpp>

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

TEST_CASE("one side needs no predictions") {
  Experiment e;
  e.add(finished_run("lstm", 1, {0, 0, 1, 0}, {0, 0, 1, 0}));
  const Sides sides = load_sides(e.paths, {});
  CHECK(sides.examples == 0);
  CHECK(sides.all.at(0).aligned.empty());
}

}  // namespace
}  // namespace minibert

// Which runs and examples are compared, what makes a row, and in which order.
#include <catch2/catch.hpp>

#include "compare/compare.h"
#include "compare/render.h"
#include "compare/sample_runs.h"
#include "compare/sides.h"
#include "support/message.h"

namespace minibert {
namespace {

using testing::add_two_arms;
using testing::Experiment;
using testing::finished_run;
using testing::kMeasures;
using testing::message_of;

std::vector<std::string> labels(const Comparison& comparison) {
  std::vector<std::string> out;
  for (const ArmSummary& arm : comparison.arms) out.push_back(arm.label);
  return out;
}

// Six runs of a sweep: two widths at three learning rates, one seed each.
void add_sweep(Experiment& e) {
  int arm = 0;
  for (const int width : {96, 128})
    for (const double rate : {1e-4, 5e-4, 1e-3}) {
      RunRecord record = finished_run("arm" + std::to_string(arm), 1, {1, 0}, {1, 0.25});
      record.started = "2026-11-20T22:0" + std::to_string(arm) + ":00Z";
      record.config = {
          {"task", "korquad"},
          {"model", {{"d_model", width}, {"norm", width == 96 ? "pre" : "post"}}},
          {"arms", {{{"name", record.arm}, {"train", {{"optimizer", {{"lr", rate}}}}}}}}};
      record.summary = {{"f1", 10 * arm}, {"wall_seconds", 60 - arm}};
      e.add(record);
      ++arm;
    }
}

TEST_CASE("rows are made by the values of keys") {
  Experiment e;
  add_sweep(e);
  const Comparison c = compare_runs(e.paths, kMeasures, {.group_by = {"model.d_model"}});
  CHECK(labels(c) == std::vector<std::string>{"model.d_model=96", "model.d_model=128"});
  CHECK(c.arms[0].arm == "arm0, arm1, arm2");
  CHECK(c.arms[0].seeds == std::vector<int64_t>{1, 1, 1});
  CHECK(c.arms[0].figures.at("f1").mean == Approx(10));
  CHECK(c.arms[1].figures.at("f1").mean == Approx(40));
  REQUIRE(c.differences.size() == 1);
  CHECK(c.differences[0].arm == "model.d_model=128");
  CHECK(labels(compare_runs(e.paths, kMeasures,
                            {.group_by = {"model.norm", "train.optimizer.lr"}}))[2] ==
        "model.norm=pre, train.optimizer.lr=0.001");
  CHECK(message_of([&] { compare_runs(e.paths, kMeasures, {.group_by = {"sede"}}); }) ==
        "'sede': no run has this key (did you mean 'seed'?)");
}

TEST_CASE("one arm configured twice is compared by the key that differs") {
  Experiment e;
  for (const char* start : {"longer.h5", "longest.h5"}) {
    RunRecord record = finished_run("bert", 1, {1, 0}, {1, 0.25});
    record.config["arms"][0]["init_from"] = start;
    save_record(record, e.paths.emplace_back(e.scratch / start));
  }
  const Comparison c = compare_runs(e.paths, kMeasures, {.group_by = {"init_from"}});
  CHECK(labels(c) == std::vector<std::string>{"init_from=longer.h5", "init_from=longest.h5"});
  CHECK(c.differences.size() == 1);
  CHECK_THROWS_WITH(compare_runs(e.paths, kMeasures), Catch::Contains("both are seed 1"));
}

TEST_CASE("a run without the key makes a row of its own") {
  Experiment e;
  add_sweep(e);
  RunRecord record = finished_run("lstm", 1, {1, 0}, {1, 0.25});
  record.started = "2026-11-21T00:00:00Z";
  e.add(record);
  CHECK(labels(compare_runs(e.paths, kMeasures, {.group_by = {"model.d_model"}})).back() ==
        "model.d_model=none");
}

TEST_CASE("rows are sorted by a figure, best first") {
  Experiment e;
  add_sweep(e);
  RunRecord record = finished_run("bert", 1, {1, 0}, {1, 0.25});
  record.summary = {{"mlm_loss", 5}};
  e.add(record);
  const auto sorted = [&](const std::string& figure) {
    return labels(compare_runs(e.paths, kMeasures, {.sort = figure}));
  };
  CHECK(sorted("f1") ==
        std::vector<std::string>{"arm5", "arm4", "arm3", "arm2", "arm1", "arm0", "bert"});
  CHECK(sorted("wall_seconds")[0] == "arm5");
  CHECK(sorted("mlm_loss")[0] == "bert");
  CHECK(message_of([&] { sorted("f2"); }) ==
        "--sort: no run has the figure \"f2\", did you mean \"f1\"?");
  // By the heading that tables show, in any case.
  Experiment answers;
  add_two_arms(answers);
  CHECK(message_of([&] { compare_runs(answers.paths, kMeasures, {.sort = "em"}); }) ==
        "--sort: no run has the figure \"em\", did you mean \"exact_match\"?");
}

TEST_CASE("a figure that some of an arm's runs lack says so") {
  Experiment e;
  for (const int seed : {1, 2, 3}) {
    RunRecord record = finished_run("bert", seed, {1, 0}, {1, 0.25});
    record.summary = {{"f1", 10 * seed}};
    if (seed < 3) record.summary["exact_match"] = seed;
    e.add(record);
  }
  const Comparison c = compare_runs(e.paths, kMeasures);
  CHECK(c.arms[0].figures.at("exact_match").mean == Approx(1.5));
  CHECK(c.warnings == std::vector<std::string>{"arm 'bert': 3 runs, but exact_match of 2"});
}

TEST_CASE("the differences are those of the pairs that are named, in their order") {
  Experiment e;
  add_two_arms(e);
  e.add(finished_run("bert-large", 1, {1, 1, 1, 1}, {1, 1, 1, 1}));
  const Comparison c = compare_runs(
      e.paths, kMeasures, {.group_by = {"arm"}, .pairs = {"lstm-bert", "bert-large - lstm"}});
  CHECK(labels(c) == std::vector<std::string>{"lstm", "bert", "bert-large"});
  REQUIRE(c.differences.size() == 2);
  CHECK(c.differences[0].arm == "lstm");
  CHECK(c.differences[0].baseline == "bert");
  CHECK(c.differences[0].intervals.at("exact_match").difference == Approx(-50));
  CHECK(c.differences[1].arm == "bert-large");
  CHECK(message_of([&] { compare_runs(e.paths, kMeasures, {.pairs = {"lstm"}}); }) ==
        "--pairs: found \"lstm\", expected ARM-BASELINE of two of: lstm, bert, bert-large");
}

TEST_CASE("the figures of a table are those that are named, in their order") {
  Experiment e;
  add_two_arms(e);
  std::vector<Comparison> all = {compare_runs(e.paths, kMeasures)};
  const std::vector<std::string> wrong = {"start_acuracy"};
  CHECK(message_of([&] { choose_figures(wrong, kMeasures, &all); }) ==
        "--figures: no run has the figure \"start_acuracy\", did you mean \"start_accuracy\"?");
  // The second is one that tables do not show by themselves.
  const std::vector<std::string> names = {"f1", "questions"};
  const std::vector<Measure> chosen = choose_figures(names, kMeasures, &all);
  const std::string text = render(all, chosen, Format::table);
  CHECK_THAT(text, Catch::Contains("\narm   runs            F1  questions\n"));
  CHECK_THAT(text, !Catch::Contains("EM") && Catch::Contains("\nbert - lstm  "));
}

TEST_CASE("too many rows get no intervals, and a warning") {
  Experiment e;
  for (int arm = 0; arm < 21; ++arm)
    e.add(finished_run("arm" + std::to_string(arm), 1, {1, 0}, {1, 0.25}));
  const Comparison c = compare_runs(e.paths, kMeasures);
  CHECK(c.arms.size() == 21);
  CHECK(c.differences.empty());
  CHECK(c.warnings == std::vector<std::string>{
                          "21 rows: no intervals for more than 20; choose with --runs or --pairs"});
  e.paths.pop_back();
  CHECK(compare_runs(e.paths, kMeasures).differences.size() == 190);
}

TEST_CASE("differences that are named, or from a baseline, are made whatever the number of rows") {
  Experiment e;
  for (int arm = 0; arm < 21; ++arm)
    e.add(finished_run("arm" + std::to_string(arm), 1, {1, 0}, {1, 0.25}));
  const CompareOptions named{.pairs = {"arm3-arm20"}};
  const Comparison c = compare_runs(e.paths, kMeasures, named);
  CHECK(c.arms.size() == 21);
  REQUIRE(c.differences.size() == 1);
  CHECK(c.differences[0].arm == "arm3");
  CHECK(c.differences[0].baseline == "arm20");
  CHECK(c.differences[0].intervals.contains("f1"));
  CHECK(c.warnings.empty());
  // Predictions are read of these two alone.
  for (const Side& side : load_sides(e.paths, named).all)
    CHECK(side.aligned.size() == (side.names.arm == "arm3" || side.names.arm == "arm20" ? 1 : 0));

  const Comparison from_one = compare_runs(e.paths, kMeasures, {}, "arm7");
  REQUIRE(from_one.differences.size() == 20);
  for (const ArmDifference& d : from_one.differences) CHECK(d.baseline == "arm7");
  CHECK(from_one.warnings.empty());
  CHECK(compare_runs(e.paths, kMeasures, {}, "none").differences.empty());
}

TEST_CASE("listed examples are left out of every figure made from predictions") {
  Experiment e;
  add_two_arms(e);
  const Comparison c = compare_runs(e.paths, kMeasures, {.left_out = {"6548850-0-2"}});
  CHECK(c.examples == 3);
  CHECK(c.left_out == 1);
  CHECK(c.warnings.empty());
  const Figure em = c.arms[1].figures.at("exact_match");
  CHECK(em.mean == Approx(50));  // 1/3 and 2/3
  CHECK(em.deviation == Approx(100.0 / 3 / std::sqrt(2.0)));
  CHECK(c.arms[1].figures.at("f1").mean == Approx(75));
  CHECK(c.arms[1].figures.at("start_accuracy").mean == 0.25);
  CHECK(c.differences[0].intervals.at("exact_match").difference == Approx(50));  // 100, 0, 50
  CHECK_THAT(
      render({c}, kMeasures, Format::table),
      Catch::Contains("intervals are over 3 examples") &&
          Catch::EndsWith("\n1 of 4 examples are left out of EM, F1; other figures count all.\n"));
}

TEST_CASE("left out are all runs' examples whatever their order, and unknown ids are counted") {
  Experiment e;
  e.add(finished_run("lstm", 1, {1, 0, 0, 0}, {1, 0, 0, 0}));
  RunRecord bert = finished_run("bert", 1, {0, 0, 0, 1}, {0, 0, 0, 1});
  std::reverse(bert.predictions->id.begin(), bert.predictions->id.end());
  e.add(bert);
  const Comparison c =
      compare_runs(e.paths, kMeasures, {.left_out = {"6548850-0-1", "없음", "6548850-0-1"}});
  CHECK(c.left_out == 1);
  CHECK(c.differences.at(0).intervals.at("exact_match").high == 0);
  CHECK(c.warnings == std::vector<std::string>{"1 of 2 ids to leave out name no example"});
  CHECK(message_of([&] {
          compare_runs(e.paths, kMeasures,
                       {.left_out = {"6548850-0-0", "6548850-0-1", "6548850-0-2", "6548850-0-3"}});
        }) == e.paths[0] + ": every example is left out, so none is compared");
}

TEST_CASE("an arm without predictions has no figures of what is left") {
  Experiment e;
  e.add(finished_run("lstm", 1, {1, 0}, {1, 0}));
  RunRecord bert = finished_run("bert", 1, {1, 0}, {1, 0});
  bert.predictions.reset();
  e.add(bert);
  const Comparison c = compare_runs(e.paths, kMeasures, {.left_out = {"6548850-0-1"}});
  CHECK(c.arms[0].figures.at("f1").mean == 100);
  CHECK_FALSE(c.arms[1].figures.contains("f1"));
  CHECK(c.arms[1].figures.contains("start_accuracy"));
  CHECK(c.warnings ==
        std::vector<std::string>{
            "arm 'bert': has no predictions to compute exact_match, f1 of; left out"});
}

TEST_CASE("intervals are of measures whose columns both arms have") {
  Experiment e;
  RunRecord lstm = finished_run("lstm", 1, {1, 0}, {1, 0.5});
  lstm.predictions->texts = {{"gold", {"긍정", "부정"}}, {"prediction", {"긍정", "긍정"}}};
  RunRecord bert = finished_run("bert", 1, {1, 0}, {1, 0.5});
  bert.predictions->texts = {{"gold", {"긍정", "부정"}}, {"prediction", {"긍정", "부정"}}};
  bert.predictions->numbers.erase("f1");
  lstm.summary["macro_f1"] = 1.0 / 3;
  bert.summary["macro_f1"] = 1;
  e.add(lstm);
  e.add(bert);
  const Comparison c = compare_runs(e.paths, kMeasures);
  REQUIRE(c.differences.size() == 1);
  const auto& intervals = c.differences[0].intervals;
  CHECK(intervals.size() == 2);
  CHECK(intervals.contains("exact_match"));
  CHECK(intervals.at("macro_f1").difference == Approx(1 - 1.0 / 3));
}

}  // namespace
}  // namespace minibert

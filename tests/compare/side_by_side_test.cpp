// Arms of several experiments in one table.
#include "compare/side_by_side.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <sstream>

#include "compare/compare.h"
#include "compare/sample_runs.h"
#include "support/message.h"

namespace minibert {
namespace {

using testing::add_two_arms;
using testing::Experiment;
using testing::finished_run;
using testing::kMeasures;
using testing::message_of;

TEST_CASE("arms of several experiments stand side by side, with intervals against a baseline") {
  Experiment questions, pretraining;
  add_two_arms(questions);
  for (const char* arm : {"bert", "albert"}) {
    RunRecord record = finished_run(arm, 1, {}, {});
    record.experiment = "pretraining";
    record.predictions.reset();
    record.summary = {{"mlm_accuracy", 0.25}, {"parameters", 1000}};
    pretraining.add(record);
  }
  const std::vector<Comparison> both = {compare_runs(pretraining.paths, kMeasures),
                                        compare_runs(questions.paths, kMeasures)};
  const SideBySide how{
      {"pretraining:parameters", "korquad_lstm_vs_bert:parameters", "mlm_accuracy", "f1"}, "bert"};
  const std::string table = render_side_by_side(both, kMeasures, how, Format::table);
  const Interval f1 = both[1].differences.at(0).intervals.at("f1");  // bert - lstm
  char difference[80];
  std::snprintf(difference, sizeof difference, "%+.2f [%+.2f, %+.2f]", -f1.difference, -f1.high,
                -f1.low);
  std::istringstream lines(table);
  std::string heading, bert, albert, lstm;
  std::getline(lines, heading);
  std::getline(lines, bert);
  std::getline(lines, albert);
  std::getline(lines, lstm);
  using Catch::Matchers::Contains;
  CHECK_THAT(heading, Contains("korquad_lstm_vs_bert parameters") && Contains("- bert [95 %]"));
  CHECK_THAT(bert, Catch::Matchers::StartsWith("bert ") && Contains("1,000") &&
                       Contains("10,541,056") && Contains("0.2500") && !Contains("["));
  CHECK_THAT(albert, Catch::Matchers::StartsWith("albert") && Contains("0.2500"));
  CHECK_THAT(lstm,
             Catch::Matchers::StartsWith("lstm") && Contains("6,301,234") && Contains(difference));
  CHECK_THAT(render_side_by_side(both, kMeasures, how, Format::markdown), Contains("| lstm"));

  const auto message = [&](SideBySide wrong, Format format = Format::table) {
    return message_of([&] { render_side_by_side(both, kMeasures, wrong, format); });
  };
  CHECK_THAT(message({{"f2"}, ""}), Contains("no run has the figure \"f2\", did you mean \"f1\"?"));
  CHECK_THAT(message({{"pretraining:f1"}, ""}), Contains("no run has the figure"));
  CHECK_THAT(message({{"parameters"}, ""}),
             Contains("found the figure \"parameters\" in pretraining and in korquad_lstm_vs_bert, "
                      "expected EXPERIMENT:parameters"));
  CHECK_THAT(message({{"f1"}, "bart"}), Contains("--baseline: no run has the arm \"bart\""));
  CHECK_THAT(message({{"f1"}, ""}, Format::json), Contains("expected --format table or markdown"));
}

TEST_CASE("an arm of two experiments in one comparison has each one's own figure, or is refused") {
  Experiment both;
  for (const auto& [experiment, accuracy] : {std::pair("first", 0.25), {"second", 0.75}}) {
    RunRecord record = finished_run("bert", 1, {}, {});
    record.experiment = experiment;
    record.predictions.reset();
    record.summary = {{"mlm_accuracy", accuracy}};
    both.add(record);
  }
  const std::vector<Comparison> comparison = {compare_runs(both.paths, kMeasures)};
  const std::string table = render_side_by_side(
      comparison, kMeasures, {{"first:mlm_accuracy", "second:mlm_accuracy"}, ""}, Format::table);
  CHECK(table.find("0.2500") < table.find("0.7500"));
  CHECK(table.find("0.7500") != std::string::npos);
  CHECK_THAT(message_of([&] {
               render_side_by_side(comparison, kMeasures, {{"mlm_accuracy"}, ""}, Format::table);
             }),
             Catch::Matchers::Contains("found several rows of the arm \"bert\" (first/bert, "
                                       "second/bert), expected one"));
}

TEST_CASE("an arm's figure comes from whichever profile of the experiment has it") {
  Experiment full, quick, other;
  RunRecord bert = finished_run("bert", 1, {1, 0}, {1, 0.5});
  bert.profile = "full";
  full.add(bert);
  quick.add(finished_run("lstm", 1, {0, 0}, {0.5, 0}));
  quick.add(finished_run("bag", 1, {0, 0}, {0.25, 0}));
  RunRecord albert = finished_run("albert", 1, {1, 1}, {1, 1});
  albert.experiment = "another";
  other.add(albert);
  std::vector<Comparison> all = {compare_runs(full.paths, kMeasures),
                                 compare_runs(quick.paths, kMeasures),
                                 compare_runs(other.paths, kMeasures)};
  const auto cells = [&](const SideBySide& how, size_t comparisons) {
    std::string table =
        render_side_by_side(std::span(all).first(comparisons), kMeasures, how, Format::markdown);
    std::erase(table, ' ');  // columns are padded
    return table;
  };
  // A figure of another experiment is another figure.
  CHECK_THAT(cells({{"korquad_lstm_vs_bert:f1"}, ""}, 3),
             Catch::Contains("|bert|75.00|\n|lstm|25.00|\n") && Catch::Contains("|albert||"));
  CHECK_THAT(cells({{"f1"}, ""}, 2), Catch::Contains("|bert|75.00|\n|lstm|25.00|\n"));
  // Examples are paired within a profile.
  CHECK_THAT(cells({{"f1"}, "lstm"}, 2),
             Catch::Contains("|bert|75.00||\n|lstm|25.00||\n") && Catch::Contains("-12.50["));

  quick.add(finished_run("bert", 1, {1, 0}, {1, 0.25}));
  all[1] = compare_runs(quick.paths, kMeasures);
  for (const char* figure : {"f1", "korquad_lstm_vs_bert:f1"})
    CHECK_THAT(message_of([&] {
                 cells({{figure}, ""}, 2);
               }),
               Catch::Contains("found several rows of the arm \"bert\" (bert of profile full, bert "
                               "of profile quick), expected one: ") &&
                   Catch::Contains("--profile"));
}

}  // namespace
}  // namespace minibert

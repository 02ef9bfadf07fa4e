// Comparison of stored runs: rows, intervals, what is left out, and the four formats.
#include "compare/compare.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "compare/render.h"
#include "compare/sample_runs.h"
#include "compare/statistic.h"
#include "compare/table.h"
#include "core/error.h"
#include "core/files.h"
#include "support/message.h"

namespace minibert {
namespace {

using testing::add_two_arms;
using testing::Experiment;
using testing::finished_run;
using testing::kMeasures;
using testing::message_of;

TEST_CASE("an arm's row is the mean and the sample deviation over its seeds") {
  Experiment e;
  add_two_arms(e);
  const Comparison c = compare_runs(e.paths, kMeasures);
  REQUIRE(c.arms.size() == 2);
  CHECK(c.arms[0].arm == "lstm");  // it started first
  CHECK(c.arms[1].label == "bert");
  CHECK(c.arms[1].seeds == std::vector<int64_t>{1, 2});
  const Figure em = c.arms[1].figures.at("exact_match");
  CHECK(em.mean == 62.5);                              // 50 and 75
  CHECK(em.deviation == Approx(25 / std::sqrt(2.0)));  // |50 - 75| / sqrt(2)
  CHECK(em.runs == 2);
  CHECK(c.arms[0].figures.at("wall_seconds").mean == 101.5);
  CHECK(c.experiments == std::vector<std::string>{"korquad_lstm_vs_bert"});
  CHECK(c.data == std::vector<std::string>{"korquad-v1-dev-split"});
  CHECK(c.warnings.empty());
}

TEST_CASE("an arm's figure is the mean of its runs, whose intervals are over examples and runs") {
  Experiment e;
  add_two_arms(e);
  const Comparison c = compare_runs(e.paths, kMeasures);
  REQUIRE(c.differences.size() == 1);
  CHECK(c.differences[0].arm == "bert");
  CHECK(c.differences[0].baseline == "lstm");
  CHECK(c.examples == 4);
  CHECK(c.left_out == 0);
  // EM differences by example: 100, 0, 50, 50.
  const Statistic bert = {mean_of({100, 0, 100, 0})[0], mean_of({100, 0, 100, 100})[0]};
  const Statistic lstm = {mean_of({0, 0, 100, 0})[0], mean_of({0, 0, 0, 0})[0]};
  const Interval expected = Jackknife(4, {}, {bert, lstm}).difference(0, 1);
  const auto& intervals = c.differences[0].intervals;
  CHECK(intervals.size() == 2);
  CHECK(intervals.at("exact_match").difference == 50);
  CHECK(intervals.at("exact_match").low == Approx(expected.low));
  CHECK(expected.high > 100);  // which no difference can be
  CHECK(intervals.at("exact_match").high == 100);
  CHECK(c.differences[0].p_holm.at("exact_match") == intervals.at("exact_match").p);  // one pair
  CHECK(intervals.at("f1").difference == 62.5);  // 100, 50, 25, 75
}

TEST_CASE("examples of one cluster count together, as their record or their data set says") {
  Experiment e;
  const std::vector<double> lstm = {0, 0, 0, 0, 1, 1}, bert = {1, 1, 1, 0, 1, 1};
  const auto add = [&](bool say) {
    for (const auto& [arm, em] : {std::pair("lstm", lstm), std::pair("bert", bert)}) {
      RunRecord record = finished_run(arm, 1, em, em);
      if (say) record.predictions->texts["cluster"] = {"가", "가", "가", "나", "나", "나"};
      e.add(record);
    }
  };
  std::vector<std::string> asked;
  const ClustersOfData of_data = [&](const std::string& id) {
    asked.push_back(id);
    return std::unordered_map<std::string, std::string>{
        {"6548850-0-0", "가"}, {"6548850-0-1", "가"}, {"6548850-0-2", "가"}};
  };
  SECTION("the record") {
    add(true);
    const Comparison c = compare_runs(e.paths, kMeasures, {.clusters_of_data = of_data});
    CHECK(c.clusters == 2);
    CHECK(c.clusters_known);
    CHECK(asked.empty());
    // One of two articles is better by 100: 50 with a standard error of 50 and one degree of freedom.
    CHECK(c.differences.at(0).intervals.at("exact_match").error == Approx(50));
  }
  SECTION("the data set, where an example that it lacks stands alone") {
    add(false);
    const Comparison c = compare_runs(e.paths, kMeasures, {.clusters_of_data = of_data});
    CHECK(c.clusters == 4);
    CHECK(asked == std::vector<std::string>{"korquad-v1-dev-split"});
  }
  SECTION("neither, and it is said") {
    add(false);
    const Comparison c = compare_runs(e.paths, kMeasures);
    CHECK(c.clusters == 0);
    CHECK_FALSE(c.clusters_known);
    CHECK_THAT(render({c}, kMeasures, Format::markdown),
               Catch::Contains("6 examples (few), each taken for itself"));
  }
  SECTION("a data set that is not there, with a warning") {
    add(false);
    const ClustersOfData missing =
        [](const std::string&) -> std::unordered_map<std::string, std::string> {
      throw Error("data/korquad.json: no such file");
    };
    const Comparison c = compare_runs(e.paths, kMeasures, {.clusters_of_data = missing});
    CHECK(c.differences.size() == 1);
    CHECK(c.warnings == std::vector<std::string>{"which examples belong together is not known: "
                                                 "data/korquad.json: no such file"});
  }
}

// Three arms with two runs each.
void add_three_arms(Experiment& e) {
  for (const auto& [arm, right] : {std::pair("a", 2), std::pair("b", 4), std::pair("c", 9)})
    for (const int seed : {1, 2}) {
      std::vector<double> em(12, 0);
      std::fill_n(em.begin() + (seed - 1), right, 1.0);
      e.add(finished_run(arm, seed, em, em));
    }
}

TEST_CASE("probabilities are corrected for every two arms, whichever pairs are shown") {
  Experiment e;
  add_three_arms(e);
  const Comparison c = compare_runs(e.paths, kMeasures);
  std::vector<double> p, corrected;
  for (const ArmDifference& d : c.differences) {
    p.push_back(d.intervals.at("f1").p);
    corrected.push_back(d.p_holm.at("f1"));
    CHECK(d.is_asked);
  }
  REQUIRE(p.size() == 3);
  CHECK(corrected == holm(p, 3));
  CHECK(*std::ranges::min_element(corrected) == Approx(3 * *std::ranges::min_element(p)));
  CHECK_THAT(render({c}, kMeasures, Format::markdown),
             Catch::Contains("corrected (Holm) for the 3 pairs of arms"));
  for (const ArmDifference& d : c.differences) {
    const Comparison one = compare_runs(e.paths, kMeasures, {.pairs = {d.arm + "-" + d.baseline}});
    REQUIRE(one.differences.size() == 1);
    CHECK(one.differences[0].p_holm.at("f1") == d.p_holm.at("f1"));
  }
}

TEST_CASE(
    "probabilities are those of the pairs that an experiment asks about, corrected for these") {
  Experiment e;
  add_three_arms(e);
  std::vector<std::string> named;
  const QuestionsOf questions = [&](const std::string& experiment) {
    named.push_back(experiment);
    return std::vector<Question>{{"c", "a"}, {"b", "a"}, {"c", "not run"}};
  };
  const Comparison c = compare_runs(e.paths, kMeasures, {.questions_of = questions});
  CHECK(named == std::vector<std::string>{"korquad_lstm_vs_bert"});
  CHECK(c.asked == 3);
  std::vector<double> p, corrected;
  for (const ArmDifference& d : c.differences) {
    CHECK(d.is_asked == (d.baseline == "a"));
    if (!d.is_asked) CHECK(std::isnan(d.p_holm.at("f1")));
    if (!d.is_asked) continue;
    p.push_back(d.intervals.at("f1").p);
    corrected.push_back(d.p_holm.at("f1"));
  }
  CHECK(corrected == holm(p, 3));
  CHECK_THAT(render({c}, kMeasures, Format::markdown),
             Catch::Contains("corrected (Holm) for the 3 pairs that the experiment asks about"));
}

TEST_CASE("an arm that learns and has one run has no p, a floor needs one run") {
  Experiment e;
  add_two_arms(e);
  e.paths.pop_back();  // the LSTM's second seed
  RunRecord floor = finished_run("majority", 1, {0, 1, 0, 0}, {0, 1, 0, 0});
  floor.summary["parameters"] = 0;
  e.add(floor);
  const Comparison c = compare_runs(e.paths, kMeasures);
  REQUIRE(c.differences.size() == 3);
  for (const ArmDifference& d : c.differences) {
    INFO(d.arm << " - " << d.baseline);
    const bool has_lstm = d.arm == "lstm" || d.baseline == "lstm";
    const Interval& interval = d.intervals.at("exact_match");
    CHECK(d.runs_measured == !has_lstm);
    CHECK(interval.low < interval.difference);
    for (const double one : {interval.p, interval.p_exchanged, interval.higher, interval.detectable,
                             d.p_holm.at("exact_match")})
      CHECK(std::isnan(one) == has_lstm);
  }
  const std::string text = render({c}, kMeasures, Format::table);
  INFO(text);
  CHECK_THAT(text, !Catch::Contains("nan") && Catch::Contains("; 1 arm with one run"));
}

TEST_CASE("an interval that is not known is shown as empty, and its p is that of exchanging") {
  Experiment e;
  for (const int64_t seed : {1, 2}) {
    e.add(finished_run("lstm", seed, {0, 0, 0}, {0, 0, 0}));
    e.add(finished_run("bert", seed, {1, 1, 1}, {1, 1, 1}));
  }
  const Comparison c = compare_runs(e.paths, kMeasures);
  const double p = c.differences.at(0).p_holm.at("f1");
  CHECK(p == Approx(0.25).margin(0.03));  // 2 of 8 exchanges are as large
  for (const Format format : {Format::table, Format::markdown}) {
    const std::string text = render({c}, kMeasures, format);
    INFO(text);
    CHECK_THAT(text, Catch::Contains("+100.00") && Catch::Contains(" " + fixed(p, 3) + " ") &&
                         !Catch::Contains("<0.001") && !Catch::Contains("[") &&
                         !Catch::Contains("nan"));
  }
  const auto f1 = nlohmann::json::parse(render({c}, kMeasures, Format::json))
                      .at(0)["differences"][0]["intervals"]["f1"];
  for (const char* unknown : {"low", "high", "error", "detectable"})
    CHECK(f1.at(unknown).is_null());
  CHECK(f1.at("p") == p);
}

TEST_CASE("a figure that is no number is left out of its arm, and the record is named") {
  Experiment e;
  RunRecord lstm = finished_run("lstm", 1, {1, 0}, {1, 0});
  RunRecord bert = finished_run("bert", 1, {1, 0}, {1, 0});
  lstm.summary["mlm_loss"] = 2.5;
  bert.summary["mlm_loss"] = NAN;
  e.add(lstm);
  e.add(bert);
  bert.seed = 2, bert.summary["mlm_loss"] = 2;  // beside the other it would flatter the arm
  e.add(bert);
  const Comparison c = compare_runs(e.paths, kMeasures);
  CHECK(c.arms.at(0).figures.at("mlm_loss").mean == 2.5);
  CHECK_FALSE(c.arms.at(1).figures.contains("mlm_loss"));
  CHECK(c.arms.at(1).figures.contains("f1"));
  CHECK(c.warnings ==
        std::vector<std::string>{e.paths[1] +
                                 ": mlm_loss is not a finite number; left out of arm 'bert'"});
  CHECK_THAT(render({c}, kMeasures, Format::table), !Catch::Contains("nan"));
}

TEST_CASE("predictions that are no numbers give no interval, and record and example are named") {
  Experiment e;
  RunRecord bert = finished_run("bert", 1, {1, 0, 1}, {1, 0, 1});
  bert.predictions->numbers["f1"][1] = NAN;
  e.add(finished_run("lstm", 1, {0, 0, 1}, {0, 0, 1}));
  e.add(bert);
  const std::string where = e.paths[1] + ": /predictions: '6548850-0-1': f1 is not a finite number";
  const Comparison c = compare_runs(e.paths, kMeasures);
  CHECK(c.differences.at(0).intervals.contains("exact_match"));
  CHECK_FALSE(c.differences.at(0).intervals.contains("f1"));
  CHECK(c.arms.at(1).figures.contains("f1"));  // the record's own summary has it
  CHECK(c.warnings == std::vector<std::string>{where + "; no interval of f1 for arm 'bert'"});
  CHECK_THAT(render({c}, kMeasures, Format::table), !Catch::Contains("nan"));
  // Made of the examples that are left it would be no number, either.
  const Comparison fewer = compare_runs(e.paths, kMeasures, {.left_out = {"6548850-0-0"}});
  CHECK_FALSE(fewer.arms.at(1).figures.contains("f1"));
  CHECK(fewer.warnings == std::vector<std::string>{where + "; f1 left out of arm 'bert'"});
  CHECK(compare_runs(e.paths, kMeasures, {.left_out = {"6548850-0-1"}}).warnings.empty());
}

TEST_CASE("a difference's interval ends where two values of its measure can differ no more") {
  Experiment e;
  e.add(finished_run("lstm", 1, {1, 0, 0}, {1, 0, 0}));
  e.add(finished_run("bert", 1, {0, 1, 1}, {0, 1, 1}));
  const Comparison c = compare_runs(e.paths, kMeasures);
  REQUIRE(c.differences.size() == 1);
  const Interval raw =
      Jackknife(3, {}, {mean_of({0, 100, 100}), mean_of({100, 0, 0})}).difference(0, 1);
  REQUIRE(raw.low < -100);
  REQUIRE(raw.high > 100);
  for (const char* name : {"exact_match", "f1"}) {
    const Interval& interval = c.differences[0].intervals.at(name);
    CHECK(interval.low == -100);
    CHECK(interval.high == 100);
    CHECK(interval.difference == Approx(raw.difference));
  }
}

TEST_CASE("answers are no labels: an interval is only of a measure that the summary has") {
  Experiment e;
  add_two_arms(e);  // with texts in "gold" and "prediction", as labels have
  for (const ArmDifference& d : compare_runs(e.paths, kMeasures).differences)
    CHECK_FALSE(d.intervals.contains("macro_f1"));
}

TEST_CASE("runs over other examples stand in the table without intervals, and it is said") {
  Experiment e;
  const std::string lstm = e.add(finished_run("lstm", 1, {1, 0, 0}, {1, 0, 0}));
  SECTION("fewer") {
    const std::string bert = e.add(finished_run("bert", 1, {1, 0}, {1, 0}));
    const Comparison c = compare_runs(e.paths, kMeasures);
    CHECK(c.arms.size() == 2);
    CHECK(c.differences.empty());
    CHECK(c.warnings == std::vector<std::string>{bert + ": has 2 examples, " + lstm +
                                                 " 3; no intervals for arm 'bert'"});
  }
  SECTION("others") {
    RunRecord record = finished_run("bert", 1, {1, 0, 0}, {1, 0, 0});
    record.predictions->id[1] = "6532051-1-0";
    const std::string bert = e.add(record);
    const Comparison c = compare_runs(e.paths, kMeasures);
    CHECK(c.arms.size() == 2);
    CHECK(c.differences.empty());
    CHECK(c.warnings == std::vector<std::string>{bert + ": example '6532051-1-0' is not in " +
                                                 lstm + "; no intervals for arm 'bert'"});
  }
  SECTION("one twice") {
    RunRecord record = finished_run("bert", 1, {1, 0, 0}, {1, 0, 0});
    record.predictions->id[1] = record.predictions->id[0];
    const std::string bert = e.add(record);
    CHECK(message_of([&] { compare_runs(e.paths, kMeasures); }) ==
          bert + ": example '6548850-0-0' has two predictions");
  }
}

TEST_CASE("unfinished runs are named and left out") {
  Experiment e;
  add_two_arms(e);
  RunRecord record = finished_run("bert", 3, {0, 0, 0, 0}, {0, 0, 0, 0});
  for (const char* status : {"running", "interrupted", "failed"}) {
    record.status = status;
    record.seed += 1;
    e.add(record);
  }
  const Comparison c = compare_runs(e.paths, kMeasures);
  CHECK(c.arms[1].seeds == std::vector<int64_t>{1, 2});
  CHECK(c.warnings == std::vector<std::string>{e.paths[4] + ": running, left out",
                                               e.paths[5] + ": interrupted, left out",
                                               e.paths[6] + ": failed, left out"});
  const Comparison none = compare_runs({e.paths[4]}, kMeasures);
  CHECK(none.arms.empty());
  CHECK(none.warnings.size() == 1);
}

TEST_CASE("the same run given twice is an error") {
  Experiment e;
  add_two_arms(e);
  save_record(load_record(e.paths[0]), e.scratch / "copy.h5");
  CHECK(message_of([&] {
          compare_runs({e.paths[0], e.scratch / "copy.h5"}, kMeasures);
        }) ==
        e.paths[0] + " and " + e.scratch / "copy.h5" +
            ": both are seed 1 of arm 'bert' of experiment 'korquad_lstm_vs_bert', expected each "
            "run once in a row; --group-by file makes a row of each");
  CHECK_THAT(message_of([&] {
               compare_runs({e.paths[0], e.paths[0]}, kMeasures);
             }),
             Catch::EndsWith("expected each run once in a row"));
}

TEST_CASE("runs under unequal conditions are compared with a warning") {
  Experiment e;
  e.add(finished_run("lstm", 1, {1, 0}, {1, 0}));
  RunRecord record = finished_run("bert", 1, {1, 0}, {1, 0});
  SECTION("another profile") {
    record.profile = "full";
    e.add(record);
    const Comparison c = compare_runs(e.paths, kMeasures);
    CHECK(c.warnings ==
          std::vector<std::string>{"the runs are of different profiles: quick, full"});
    CHECK(c.arms[1].label == "full/bert");
  }
  SECTION("other data") {
    record.data["id"] = "sample";
    e.add(record);
    CHECK(compare_runs(e.paths, kMeasures).warnings ==
          std::vector<std::string>{"the runs used different data: korquad-v1-dev-split, sample"});
  }
  SECTION("another version of the data") {
    record.data["sha256"] = "cd";
    e.add(record);
    CHECK(compare_runs(e.paths, kMeasures).warnings ==
          std::vector<std::string>{
              "the runs used different versions of the data korquad-v1-dev-split"});
  }
  SECTION("but not what another tokenizer makes of the same files") {
    record.data["tokenizer_sha256"] = "ef";
    record.data["splits"] = {{"train", {{"examples", 7}}}};
    e.add(record);
    CHECK(compare_runs(e.paths, kMeasures).warnings.empty());
  }
  SECTION("nor why the same data set was taken") {
    record.data["choice"] = "data: korquad-v1-dev-split (korquad-v1: not fetched)";
    e.add(record);
    CHECK(compare_runs(e.paths, kMeasures).warnings.empty());
  }
  SECTION("another machine") {
    record.environment["threads"] = 16;
    e.add(record);
    CHECK(compare_runs(e.paths, kMeasures).warnings ==
          std::vector<std::string>{
              "the runs differ in threads (2, 16): their speeds do not compare"});
  }
}

TEST_CASE("pretraining runs have their own columns and no intervals") {
  Experiment e;
  for (const char* arm : {"d96", "d128"}) {
    RunRecord record = finished_run(arm, 1, {1}, {1});
    record.predictions.reset();
    record.summary = {{"mlm_accuracy", 0.1552}, {"mlm_loss", 5.43213}, {"nsp_accuracy", 0.63}};
    e.add(record);
  }
  const Comparison c = compare_runs(e.paths, kMeasures);
  CHECK(c.differences.empty());
  CHECK(render({c}, kMeasures, Format::table) ==
        "korquad_lstm_vs_bert, profile quick, data korquad-v1-dev-split\n"
        "\n"
        "arm   runs  MLM acc  MLM loss  NSP acc\n"
        "d96      1   0.1552    5.4321   0.6300\n"
        "d128     1   0.1552    5.4321   0.6300\n");
}

TEST_CASE("a figure that no measure names is shown last, by its own name") {
  Experiment e;
  RunRecord record = finished_run("bert", 1, {1}, {1});
  record.summary = {{"a_new_figure", 0.123456}, {"mlm_loss", 5.43213}, {"a_new_count", 12000}};
  e.add(record);
  const Comparison c = compare_runs(e.paths, kMeasures);
  CHECK(render({c}, kMeasures, Format::table) ==
        "korquad_lstm_vs_bert, profile quick, data korquad-v1-dev-split\n"
        "\n"
        "arm   runs  MLM loss  a_new_count  a_new_figure\n"
        "bert     1    5.4321       12,000        0.1235\n");
}

TEST_CASE("the table for a terminal") {
  Experiment e;
  add_two_arms(e);
  CHECK(render({compare_runs(e.paths, kMeasures)}, kMeasures, Format::table) ==
        R"(korquad_lstm_vs_bert, profile quick, data korquad-v1-dev-split

arm   runs  parameters             EM            F1        start acc          end acc  ms/question  tokens/s       wall s
lstm     2   6,301,234  12.50 ± 17.68  18.75 ± 8.84  0.2500 ± 0.0000  0.5000 ± 0.0000  4.12 ± 0.00    12,346  101.5 ± 0.7
bert     2  10,541,056  62.50 ± 17.68  81.25 ± 8.84  0.2500 ± 0.0000  0.5000 ± 0.0000  4.12 ± 0.00    12,346  101.5 ± 0.7

difference       EM      95 % interval  p Holm  p swap  P(better)
bert - lstm  +50.00  [-14.96, +100.00]   0.092   0.240      0.912

difference       F1      95 % interval  p Holm  p swap  P(better)
bert - lstm  +62.50  [+11.14, +100.00]   0.030   0.129      0.998

95 % intervals are over 4 examples (few), each taken for itself, and over seeds; arms have as few as
2 runs; p is corrected (Holm) for the 1 pair of arms; true differences from 84.93 in EM, 67.15 in F1
on are found four times in five: see results/README.md.
Note: measured by 4 examples: too few to show small differences (two arms that disagree about a
fifth need 42, one of them always right).
)");
}

TEST_CASE("the table as Markdown") {
  Experiment e;
  add_two_arms(e);
  CHECK(render({compare_runs(e.paths, kMeasures)}, kMeasures, Format::markdown) ==
        R"(**korquad_lstm_vs_bert, profile quick, data korquad-v1-dev-split**

| arm  | runs | parameters |            EM |           F1 |       start acc |         end acc | ms/question | tokens/s |      wall s |
| ---- | ---: | ---------: | ------------: | -----------: | --------------: | --------------: | ----------: | -------: | ----------: |
| lstm |    2 |  6,301,234 | 12.50 ± 17.68 | 18.75 ± 8.84 | 0.2500 ± 0.0000 | 0.5000 ± 0.0000 | 4.12 ± 0.00 |   12,346 | 101.5 ± 0.7 |
| bert |    2 | 10,541,056 | 62.50 ± 17.68 | 81.25 ± 8.84 | 0.2500 ± 0.0000 | 0.5000 ± 0.0000 | 4.12 ± 0.00 |   12,346 | 101.5 ± 0.7 |

| difference  |     EM |     95 % interval |     p |     F1 |     95 % interval |     p |
| ----------- | -----: | ----------------: | ----: | -----: | ----------------: | ----: |
| bert - lstm | +50.00 | [-14.96, +100.00] | 0.092 | +62.50 | [+11.14, +100.00] | 0.030 |

95 % intervals are over 4 examples (few), each taken for itself, and over seeds; arms have as few as 2 runs; p is corrected (Holm) for the 1 pair of arms; true differences from 84.93 in EM, 67.15 in F1 on are found four times in five: see results/README.md.
)");
}

TEST_CASE(
    "tables name arms of several experiments by their own names where those tell them apart") {
  Experiment e;
  e.add(finished_run("lstm", 1, {1, 0}, {1, 0.5}));
  RunRecord record = finished_run("bert", 1, {1, 0}, {1, 0.25});
  record.experiment = "korquad_10m";
  e.add(record);
  const Comparison c = compare_runs(e.paths, kMeasures);
  CHECK(c.arms[1].label == "korquad_10m/bert");
  const std::string text = render({c}, kMeasures, Format::table);
  CHECK_THAT(text, Catch::Contains("\nbert ") && Catch::Contains("\nbert - lstm ") &&
                       !Catch::Contains("korquad_10m/"));
  record.arm = "lstm";
  e.add(record);
  CHECK_THAT(render({compare_runs(e.paths, kMeasures)}, kMeasures, Format::table),
             Catch::Contains("\nkorquad_10m/lstm "));
}

TEST_CASE("JSON holds every figure unrounded, and null where there is none") {
  Experiment e;
  add_two_arms(e);
  e.paths.pop_back();
  const auto json =
      nlohmann::json::parse(render({compare_runs(e.paths, kMeasures)}, kMeasures, Format::json))
          .at(0);
  CHECK(json["arms"][0]["arm"] == "lstm");
  CHECK(json["arms"][0]["figures"]["exact_match"] ==
        nlohmann::json({{"mean", 25.0}, {"deviation", nullptr}, {"runs", 1}}));
  CHECK(json["arms"][1]["seeds"] == nlohmann::json({1, 2}));
  CHECK(json["arms"][1]["figures"]["f1"]["mean"] == 81.25);
  CHECK(json["examples"] == 4);
  CHECK(json["differences"][0]["intervals"]["exact_match"]["difference"] == 37.5);
  CHECK(json["differences"][0]["runs_measured"] == false);  // the LSTM has one run
  CHECK(json["differences"][0]["intervals"]["exact_match"]["p"].is_null());
  CHECK(json["differences"][0]["confidence"] == 0.95);
  CHECK(json["warnings"].empty());
}

TEST_CASE("stored runs are found by experiment and profile") {
  Experiment e;
  add_two_arms(e);
  RunRecord record = finished_run("bert", 1, {1, 0}, {1, 0});
  record.profile = "full";
  e.add(record);
  testing::write_bytes(e.scratch / "results/korquad_lstm_vs_bert/quick/bert-s1.progress.jsonl", "");
  testing::write_bytes(e.scratch / "results/korquad_lstm_vs_bert/quick/bert-s1.h5.tmp", "");
  const std::string results = e.scratch / "results";
  CHECK(find_runs(results, "", "").size() == 2);
  const auto quick = find_runs(results, "korquad_lstm_vs_bert", "quick");
  REQUIRE(quick.size() == 1);
  CHECK(quick[0] == std::vector<std::string>(e.paths.begin(), e.paths.begin() + 4));
  CHECK(message_of([&] { find_runs(results, "korquad_lstm_vs_brt", ""); }) ==
        results +
            ": no runs of experiment 'korquad_lstm_vs_brt'; it has korquad_lstm_vs_bert (did "
            "you mean 'korquad_lstm_vs_bert'?)");
  CHECK(message_of([&] { find_runs(results, "korquad_lstm_vs_bert", "quik"); }) ==
        results +
            ": no runs of experiment 'korquad_lstm_vs_bert' with profile 'quik'; it has full, "
            "quick (did you mean 'quick'?)");
  CHECK(message_of([&] { find_runs(e.scratch / "없음", "", ""); }) ==
        e.scratch / "없음" + ": no such folder of results; an experiment makes it");
}

}  // namespace
}  // namespace minibert

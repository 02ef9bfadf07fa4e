// What was expected before runs, and what a comparison says of it.
#include "compare/expectation.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "compare/compare.h"
#include "compare/render.h"
#include "compare/sample_runs.h"
#include "core/error.h"

namespace minibert {
namespace {

using testing::Experiment;
using testing::finished_run;
using testing::kMeasures;

Expectation expected(double least, int64_t runs = 1) {
  Expectation one;
  one.measure = "f1", one.arm = "bert", one.baseline = "lstm";
  one.least = least, one.runs = runs, one.stop = "after one seed";
  return one;
}

RunRecord registered(const std::string& arm, const std::vector<double>& f1,
                     const std::vector<Expectation>& all) {
  RunRecord record = finished_run(arm, 1, std::vector<double>(f1.size(), 0), f1);
  record.expect = to_json(all);
  record.expect_sha256 = sha256_of_json(record.expect);
  return record;
}

// BERT is right in 30 of 40, the LSTM in 10: an interval around 50 points.
std::vector<double> right(size_t count) {
  std::vector<double> out(40, 0);
  for (size_t i = 0; i < count; ++i) out[i * 7 % 40] = 1;
  return out;
}

Comparison compared(const std::vector<Expectation>& of_lstm,
                    const std::vector<Expectation>& of_bert) {
  Experiment e;
  e.add(registered("lstm", right(10), of_lstm));
  e.add(registered("bert", right(30), of_bert));
  return compare_runs(e.paths, kMeasures);
}

std::string verdict(const Expectation& one) {
  const Comparison c = compared({one}, {one});
  REQUIRE(c.expected.size() == 1);
  return c.expected[0].verdict;
}

}  // namespace

TEST_CASE("an expectation is met, not met or open by where the whole interval lies") {
  CHECK(verdict(expected(0)) == "met");
  CHECK(verdict(expected(10)) == "met");
  CHECK(verdict(expected(50)) == "open");
  CHECK(verdict(expected(90)) == "not met");
  Expectation lower = expected(0);
  lower.direction = "lower";
  CHECK(verdict(lower) == "not met");
  std::swap(lower.arm, lower.baseline);
  CHECK(verdict(lower) == "met");  // the difference that is shown stands the other way round
  CHECK(verdict(expected(0, 3)) == "open");
}

TEST_CASE("an expectation is not judged by what somebody picks afterwards") {
  Experiment e;
  e.add(registered("lstm", right(10), {expected(10)}));
  e.add(registered("bert", right(30), {expected(10)}));
  for (const CompareOptions& picked :
       {CompareOptions{.group_by = {"arm", "seed"}}, CompareOptions{.filters = {{"seed", "1"}}},
        CompareOptions{.left_out = {"6548850-0-0"}}}) {
    const Comparison c = compare_runs(e.paths, kMeasures, picked);
    REQUIRE(c.expected.size() == 1);
    CHECK(c.expected[0].verdict == "open");
    CHECK_THAT(c.expected[0].why, Catch::Contains("chosen afterwards"));
  }
}

TEST_CASE("an expectation is not judged by some of the runs that are stored of its arms") {
  Experiment e;
  for (const int64_t seed : {1, 2})
    for (const char* arm : {"lstm", "bert"}) {
      RunRecord run = registered(arm, right(std::string(arm) == "bert" ? 30 : 10), {expected(10)});
      run.seed = seed;
      e.add(run);
    }
  const auto judged = [&](std::vector<std::string> paths) {
    const Comparison c = compare_runs(paths, kMeasures);
    REQUIRE(c.expected.size() == 1);
    return c.expected[0];
  };
  CHECK(judged(e.paths).verdict == "met");
  const Judged picked = judged({e.paths[0], e.paths[1]});
  CHECK(picked.verdict == "open");
  CHECK_THAT(picked.why, Catch::Contains("chosen afterwards"));
  // Neither other arms' runs, nor unfinished ones, copies and damaged files are further runs of these arms.
  const std::vector<std::string> stored = e.paths;
  RunRecord other = registered("other", right(20), {expected(10)});
  e.add(other);
  other.arm = "bert", other.seed = 3, other.status = "running";
  e.add(other);
  const std::string folder = e.scratch / "results/korquad_lstm_vs_bert/quick/";
  std::filesystem::copy_file(stored[0], folder + "copy.h5");
  testing::write_bytes(folder + "bert-s4.h5", "text");
  CHECK(judged(stored).verdict == "met");
  // A seed that was run again is.
  other = load_record(stored[0]);
  other.started = "2026-11-21T10:00:00Z";
  save_record(other, folder + "again.h5");
  CHECK(judged(stored).verdict == "open");
}

TEST_CASE("an expectation that cannot be read is told and not judged, and the arms are compared") {
  Experiment e;
  for (const char* arm : {"lstm", "bert"}) {
    RunRecord run = registered(arm, right(std::string(arm) == "bert" ? 30 : 10), {expected(10)});
    run.expect[0]["of_a_later_version"] = 1;
    run.expect_sha256 = sha256_of_json(run.expect);
    e.add(run);
  }
  const Comparison c = compare_runs(e.paths, kMeasures);
  CHECK(c.expected.empty());
  CHECK(c.differences.size() == 1);
  REQUIRE(c.warnings.size() == 1);
  CHECK_THAT(c.warnings[0], Catch::StartsWith(e.paths[0] + ": /expect: ") &&
                                Catch::Contains("of_a_later_version") &&
                                Catch::EndsWith("; what was expected is not judged"));
}

TEST_CASE("a judged difference has as many decimals as its measure has in tables") {
  Experiment e;
  e.add(registered("lstm", right(10), {expected(10)}));
  e.add(registered("bert", right(30), {expected(10)}));
  std::vector<Measure> measures(std::begin(kMeasures), std::end(kMeasures));
  const auto words = [&] { return in_words(compare_runs(e.paths, measures).expected.at(0)); };
  CHECK_THAT(words(), Catch::Contains("met, +50.00 [+"));
  std::ranges::find(measures, "f1", &Measure::name)->decimals = 4;
  CHECK_THAT(words(), Catch::Contains("met, +50.0000 [+"));
}

TEST_CASE("an expectation is open where the examples leave the interval no width") {
  // Both arms answer alike: forty examples do not show that no other would differ.
  Experiment e;
  e.add(registered("lstm", right(40), {expected(5)}));
  e.add(registered("bert", right(40), {expected(5)}));
  const Comparison c = compare_runs(e.paths, kMeasures);
  REQUIRE(c.expected.size() == 1);
  CHECK(c.expected[0].verdict == "open");
  CHECK(in_words(c.expected[0]).find("all examples differ alike") != std::string::npos);

  // Nor where one is right in all and the other in none.
  Experiment apart;
  apart.add(registered("lstm", right(0), {expected(5)}));
  apart.add(registered("bert", right(40), {expected(5)}));
  const Judged judged = compare_runs(apart.paths, kMeasures).expected.at(0);
  CHECK(judged.verdict == "open");
  CHECK_THAT(in_words(judged),
             Catch::Contains("all examples differ alike") && Catch::Contains(", +100.00; stop: "));
  CHECK(to_json(judged)["low"].dump() == "null");
}

TEST_CASE("a comparison says what was registered, or that it is exploratory") {
  const Comparison c = compared({expected(10)}, {expected(10)});
  const std::string table = render({c}, kMeasures, Format::table);
  CHECK(table.find("Registered (SHA-256 " +
                   sha256_of_json(to_json(std::vector<Expectation>{expected(10)})).substr(0, 12)) !=
        std::string::npos);
  CHECK(table.find("f1 of bert - lstm higher by at") != std::string::npos);
  CHECK(table.find("Exploratory") == std::string::npos);
  const auto json = nlohmann::json::parse(render({c}, kMeasures, Format::json));
  CHECK(json[0]["expected"][0]["verdict"] == "met");
  CHECK(json[0]["expected"][0]["difference"] == 50);

  Experiment plain;
  testing::add_two_arms(plain);
  const Comparison without = compare_runs(plain.paths, kMeasures);
  CHECK(without.expected.empty());
  CHECK(render({without}, kMeasures, Format::table).find("Exploratory") != std::string::npos);
}

TEST_CASE(
    "an expectation that runs did not share, or that was changed after a run, is not judged") {
  const Comparison other = compared({expected(10)}, {expected(20)});
  CHECK(other.expected.empty());
  REQUIRE(other.warnings.size() == 2);
  CHECK(other.warnings[0].find("registered something else") != std::string::npos);

  Experiment e;
  RunRecord changed = registered("bert", right(30), {expected(10)});
  changed.expect = to_json(std::vector<Expectation>{expected(40)});
  e.add(registered("lstm", right(10), {expected(10)}));
  e.add(changed);
  const Comparison c = compare_runs(e.paths, kMeasures);
  CHECK(c.expected.empty());
  REQUIRE_FALSE(c.warnings.empty());
  CHECK(c.warnings[0].find("changed after the run") != std::string::npos);
}

}  // namespace minibert

// What was expected before runs, and what a comparison says of it.
#include "compare/expectation.h"

#include <catch2/catch.hpp>

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

TEST_CASE("an expectation is open where the examples leave the interval no width") {
  // Both arms answer alike: forty examples do not show that no other would differ.
  Experiment e;
  e.add(registered("lstm", right(40), {expected(5)}));
  e.add(registered("bert", right(40), {expected(5)}));
  const Comparison c = compare_runs(e.paths, kMeasures);
  REQUIRE(c.expected.size() == 1);
  CHECK(c.expected[0].verdict == "open");
  CHECK(in_words(c.expected[0]).find("all examples differ alike") != std::string::npos);
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

// What the best of several tries is expected to reach.
#include "compare/best_of.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "compare/compare.h"
#include "compare/sample_runs.h"
#include "support/message.h"

namespace minibert {
namespace {

TEST_CASE("one try is expected to reach the mean, and many the best") {
  CHECK(expected_best({3, 1, 2}, Better::higher)[0] == Approx(2));
  // The best of two draws is 1 in 1 of 9, 2 in 3, 3 in 5.
  CHECK(expected_best({3, 1, 2}, Better::higher)[1] == Approx((1 + 6 + 15) / 9.0));
  CHECK(expected_best({3, 1, 2}, Better::lower)[1] == Approx((3 + 6 + 5) / 9.0));
  CHECK(expected_best({7}, Better::higher) == std::vector<double>{7});
}

TEST_CASE("a sweep's expected best is a row a number of tries") {
  testing::Experiment e;
  for (int arm = 0; arm < 6; ++arm) {
    const double f1 = 0.1 * arm;
    e.add(testing::finished_run("arm" + std::to_string(arm), 1, {0, 0}, {f1, f1}));
  }
  const std::vector<Comparison> found = {compare_runs(e.paths, testing::kMeasures)};
  const std::string table = render_expected_best(found, testing::kMeasures, "f1", Format::table);
  CHECK_THAT(table,
             Catch::Contains("rows tried  expected best F1\n         1             25.00\n"));
  CHECK_THAT(table, Catch::Contains("\n         5 ") && Catch::Contains("\n         6 ") &&
                        !Catch::Contains("\n         4 "));
  const auto message = [&](const std::string& figure, Format format) {
    return testing::message_of(
        [&] { render_expected_best(found, testing::kMeasures, figure, format); });
  };
  CHECK(
      message("f2", Format::table) ==
      "--expected-best: found \"f2\", expected a figure of these runs that has a better side, did "
      "you mean \"f1\"?");
  CHECK_THAT(message("parameters", Format::table), Catch::Contains("has a better side"));
  CHECK_THAT(message("f1", Format::json), Catch::Contains("table or markdown"));
}

TEST_CASE("a row whose figure is no number does not blank the expected best of the others") {
  testing::Experiment e;
  for (int arm = 0; arm < 4; ++arm) {
    RunRecord record = testing::finished_run("arm" + std::to_string(arm), 1, {0, 0}, {0, 0});
    record.summary["f1"] = arm == 2 ? NAN : 10 * arm;
    e.add(record);
  }
  const std::vector<Comparison> found = {compare_runs(e.paths, testing::kMeasures)};
  const std::string table = render_expected_best(found, testing::kMeasures, "f1", Format::table);
  INFO(table);
  CHECK_THAT(table, Catch::Contains("\n         1             13.33\n"));  // of 0, 10 and 30
  CHECK_THAT(table, Catch::Contains("from these 3 ") && !Catch::Contains("nan"));
}

}  // namespace
}  // namespace minibert

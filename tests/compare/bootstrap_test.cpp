// The paired bootstrap against cases that can be worked out by hand.
#include "compare/bootstrap.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "compare/statistic.h"
#include "core/rng.h"

namespace minibert {
namespace {

// Of the mean of a column against one of nothing.
Interval interval_of(const std::vector<double>& differences, int resamples = kMeanResamples) {
  Statistic mean = mean_of(differences);
  Statistic nothing = mean_of(std::vector<double>(differences.size()));
  mean.resamples = nothing.resamples = resamples;
  const auto estimates = bootstrap(differences.size(), {mean, nothing});
  return difference_of(estimates[0], estimates[1]);
}

TEST_CASE("no difference on any example is an interval of exactly nothing") {
  const Interval interval = interval_of(std::vector<double>(100, 0.0));
  CHECK(interval.difference == 0);
  CHECK(interval.low == 0);
  CHECK(interval.high == 0);
}

TEST_CASE("the same shift on every example is that shift without doubt") {
  const Interval interval = interval_of(std::vector<double>(64, 12.5));
  CHECK(interval.difference == 12.5);
  CHECK(interval.low == 12.5);
  CHECK(interval.high == 12.5);
}

TEST_CASE("two examples of which one differs resample to a binomial") {
  // Means of two draws from {0, 100}: 0, 50 or 100 with probability 1/4, 1/2, 1/4.
  const Interval interval = interval_of({0, 100});
  CHECK(interval.difference == 50);
  CHECK(interval.low == 0);
  CHECK(interval.high == 100);
}

TEST_CASE("the interval is that of the normal approximation for many examples") {
  // 1000 examples, 300 of them won and 200 lost by 100 points: mean 10, deviation 70, so the
  // standard error is 70 / sqrt(1000) = 2.2136 and the interval 10 ± 1.96 · 2.2136 = 10 ± 4.339.
  std::vector<double> differences(1000, 0);
  std::fill(differences.begin(), differences.begin() + 300, 100);
  std::fill(differences.begin() + 300, differences.begin() + 500, -100);
  const Interval interval = interval_of(differences);
  CHECK(interval.difference == Approx(10));
  CHECK(interval.low == Approx(10 - 4.339).margin(0.2));
  CHECK(interval.high == Approx(10 + 4.339).margin(0.2));
}

TEST_CASE("the interval covers the truth about as often as it says") {
  // Each trial draws 200 examples from a population with mean difference 5.
  constexpr int kTrials = 200;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Rng rng(7, "test/coverage", 0, static_cast<uint64_t>(trial));
    std::vector<double> differences;
    for (int example = 0; example < 200; ++example)
      differences.push_back(5 + 60 * (rng.uniform() - 0.5));
    const Interval interval = interval_of(differences, 1000);
    covered += interval.low <= 5 && 5 <= interval.high ? 1 : 0;
  }
  // 190 expected, standard deviation 3.1.
  CHECK(covered >= 178);
  CHECK(covered <= 199);
}

TEST_CASE("exchanging the arms changes the sign, and a second call changes nothing") {
  std::vector<double> differences, reversed;
  Rng rng(3, "test/exchange");
  for (int example = 0; example < 300; ++example) {
    differences.push_back(rng.uniform() - 0.4);
    reversed.push_back(-differences.back());
  }
  const Interval there = interval_of(differences);
  const Interval back = interval_of(reversed);
  CHECK(there.difference == -back.difference);
  CHECK(there.low == Approx(-back.high).epsilon(1e-12));
  CHECK(there.high == Approx(-back.low).epsilon(1e-12));
  const Interval again = interval_of(differences);
  CHECK(again.low == there.low);
  CHECK(again.high == there.high);
}

TEST_CASE("a statistic that takes fewer resamples sees the first of them") {
  const std::vector<double> column = {1, 2, 4, 8, 16};
  Statistic few = mean_of(column);
  few.resamples = 7;
  const auto estimates = bootstrap(column.size(), {mean_of(column), few});
  REQUIRE(estimates[0].resampled.size() == static_cast<size_t>(kMeanResamples));
  REQUIRE(estimates[1].resampled.size() == 7);
  CHECK(std::equal(estimates[1].resampled.begin(), estimates[1].resampled.end(),
                   estimates[0].resampled.begin()));
  CHECK(difference_of(estimates[1], estimates[1]).resamples == 7);
}

}  // namespace
}  // namespace minibert

// The paired bootstrap against cases that can be worked out by hand.
#include "compare/bootstrap.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/rng.h"

namespace minibert {
namespace {

TEST_CASE("no difference on any question is an interval of exactly nothing") {
  const Interval interval = paired_bootstrap({std::vector<double>(100, 0.0)})[0];
  CHECK(interval.difference == 0);
  CHECK(interval.low == 0);
  CHECK(interval.high == 0);
}

TEST_CASE("the same shift on every question is that shift without doubt") {
  const Interval interval = paired_bootstrap({std::vector<double>(64, 12.5)})[0];
  CHECK(interval.difference == 12.5);
  CHECK(interval.low == 12.5);
  CHECK(interval.high == 12.5);
}

TEST_CASE("two questions of which one differs resample to a binomial") {
  // Means of two draws from {0, 100}: 0, 50 or 100 with probability 1/4, 1/2, 1/4.
  const Interval interval = paired_bootstrap({{0, 100}})[0];
  CHECK(interval.difference == 50);
  CHECK(interval.low == 0);
  CHECK(interval.high == 100);
}

TEST_CASE("the interval is that of the normal approximation for many questions") {
  // 1000 questions, 300 of them won and 200 lost by 100 points: mean 10, deviation 70, so the
  // standard error is 70 / sqrt(1000) = 2.2136 and the interval 10 ± 1.96 · 2.2136 = 10 ± 4.339.
  std::vector<double> differences(1000, 0);
  std::fill(differences.begin(), differences.begin() + 300, 100);
  std::fill(differences.begin() + 300, differences.begin() + 500, -100);
  const Interval interval = paired_bootstrap({differences})[0];
  CHECK(interval.difference == Approx(10));
  CHECK(interval.low == Approx(10 - 4.339).margin(0.2));
  CHECK(interval.high == Approx(10 + 4.339).margin(0.2));
}

TEST_CASE("the interval covers the truth about as often as it says") {
  // Each trial draws 200 questions from a population with mean difference 5.
  constexpr int kTrials = 200;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Rng rng(7, "test/coverage", 0, static_cast<uint64_t>(trial));
    std::vector<double> differences;
    for (int question = 0; question < 200; ++question)
      differences.push_back(5 + 60 * (rng.uniform() - 0.5));
    const Interval interval = paired_bootstrap({differences}, 1000)[0];
    covered += interval.low <= 5 && 5 <= interval.high ? 1 : 0;
  }
  // 190 expected, standard deviation 3.1.
  CHECK(covered >= 178);
  CHECK(covered <= 199);
}

TEST_CASE("exchanging the arms changes the sign, and a second call changes nothing") {
  std::vector<double> differences, reversed;
  Rng rng(3, "test/exchange");
  for (int question = 0; question < 300; ++question) {
    differences.push_back(rng.uniform() - 0.4);
    reversed.push_back(-differences.back());
  }
  const Interval there = paired_bootstrap({differences})[0];
  const Interval back = paired_bootstrap({reversed})[0];
  CHECK(there.difference == -back.difference);
  CHECK(there.low == Approx(-back.high).epsilon(1e-12));
  CHECK(there.high == Approx(-back.low).epsilon(1e-12));
  const Interval again = paired_bootstrap({reversed, differences})[1];
  CHECK(again.low == there.low);
  CHECK(again.high == there.high);
}

}  // namespace
}  // namespace minibert

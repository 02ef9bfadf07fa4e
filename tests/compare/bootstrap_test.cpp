// The paired bootstrap against cases that can be worked out by hand.
#include "compare/bootstrap.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "compare/intervals.h"
#include "compare/sample_runs.h"
#include "compare/statistic.h"
#include "core/rng.h"
#include "record/layout.h"

namespace minibert {
namespace {

// The interval of the mean of a column against one of nothing.
Interval interval_of(const std::vector<double>& differences, int resamples = kMeanResamples,
                     Resampling resampling = Resampling::clusters_and_runs) {
  Statistic mean = mean_of(differences);
  Statistic nothing = mean_of(std::vector<double>(differences.size()));
  mean.resamples = nothing.resamples = resamples;
  return Bootstrap(differences.size(), {}, {mean, nothing}, resampling).difference(0, 1);
}

TEST_CASE("no difference on any example is an interval of exactly nothing") {
  const Interval interval = interval_of(std::vector<double>(100, 0.0));
  CHECK(interval.difference == 0);
  CHECK(interval.low == 0);
  CHECK(interval.high == 0);
}

TEST_CASE("examples that all differ alike give no interval, and the p of exchanging them") {
  const Resampling resampling = GENERATE(Resampling::clusters_and_runs, Resampling::examples);
  // A tenth cannot be written in binary: the resamples' sums of 64 vary by rounding alone.
  const auto [examples, shift, p] =
      GENERATE(table<size_t, double, double>({{1, 100, 1}, {3, 100, 0.25}, {64, 0.1, 0.0005}}));
  const Interval interval =
      interval_of(std::vector<double>(examples, shift), kMeanResamples, resampling);
  INFO(examples);
  CHECK(interval.difference == Approx(shift));
  CHECK(std::isnan(interval.low));
  CHECK(std::isnan(interval.high));
  CHECK(std::isnan(interval.error));
  CHECK(std::isnan(interval.detectable));
  CHECK(interval.p == interval.p_exchanged);
  CHECK(interval.p == Approx(p).margin(examples == 3 ? 0.03 : 0));
}

TEST_CASE("nothing is told of a figure that is no number") {
  const Resampling resampling = GENERATE(Resampling::clusters_and_runs, Resampling::examples);
  const Interval interval =
      interval_of({1, std::numeric_limits<double>::quiet_NaN(), 3}, kMeanResamples, resampling);
  for (const double one : {interval.difference, interval.low, interval.high, interval.error,
                           interval.p, interval.p_exchanged, interval.higher})
    CHECK(std::isnan(one));
}

TEST_CASE("plain percentiles of two examples of which one differs are those of a binomial") {
  // Means of two draws from {0, 100}: 0, 50 or 100 with probability 1/4, 1/2, 1/4.
  const Interval interval = interval_of({0, 100}, kMeanResamples, Resampling::examples);
  CHECK(interval.difference == 50);
  CHECK(interval.low == 0);
  CHECK(interval.high == 100);
}

TEST_CASE("two examples tell next to nothing") {
  // The standard error of the mean of 0 and 100 is 50, and Student's t with one degree of freedom 12.706.
  const Interval interval = interval_of({0, 100});
  CHECK(interval.error == Approx(50).epsilon(0.02));
  CHECK(interval.high - 50 == Approx(12.706 * interval.error).epsilon(1e-4));
  CHECK(interval.p == Approx(0.5).epsilon(0.02));  // beyond 1 in either direction
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
  const Bootstrap bootstrap(column.size(), {}, {mean_of(column), few});
  REQUIRE(bootstrap[0].resampled.size() == static_cast<size_t>(kMeanResamples));
  REQUIRE(bootstrap[1].resampled.size() == 7);
  CHECK(std::equal(bootstrap[1].resampled.begin(), bootstrap[1].resampled.end(),
                   bootstrap[0].resampled.begin()));
  CHECK(bootstrap.difference(1, 1).resamples == 7);
}

// Questions come in articles, and every system was trained from several seeds. Each trial draws how hard the
// articles and their questions are for each of two equally good systems, how well its seeds turned out, and what
// each seed answers.
struct Spread {
  double article, question, seed, answer;
};

class Exam {
 public:
  static constexpr size_t kArticles = 28, kQuestions = 20, kSeeds = 3;

  Exam(uint64_t trial, const Spread& spread)
      : rng_(11, "test/exam", 0, trial), spread_(spread), systems_{system(), system()} {
    for (uint32_t i = 0; i < kArticles * kQuestions; ++i) clusters_.of.push_back(i / kQuestions);
    clusters_.count = kArticles;
  }

  // The interval of their difference, which is 0 in truth.
  Interval clustered() const {
    return Bootstrap(kArticles * kQuestions, clusters_, systems_).difference(0, 1);
  }
  Interval by_question() const {
    return Bootstrap(kArticles * kQuestions, {}, systems_, Resampling::examples).difference(0, 1);
  }

 private:
  double normal(double spread) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += rng_.uniform();
    return spread * sum;
  }

  Statistic system() {
    std::vector<double> mean(kArticles * kQuestions), seeds;
    std::vector<std::vector<double>> runs(kSeeds);
    for (size_t s = 0; s < kSeeds; ++s) seeds.push_back(normal(spread_.seed));
    for (size_t a = 0; a < kArticles; ++a) {
      const double article = normal(spread_.article);
      for (size_t q = 0; q < kQuestions; ++q) {
        const double question = article + normal(spread_.question);
        for (size_t s = 0; s < kSeeds; ++s) {
          runs[s].push_back(question + seeds[s] + normal(spread_.answer));
          mean[a * kQuestions + q] += runs[s].back() / kSeeds;
        }
      }
    }
    Statistic statistic = mean_of(std::move(mean));
    statistic.resamples = 400;
    for (std::vector<double>& run : runs) statistic.of_runs.push_back(mean_of(std::move(run)).of);
    return statistic;
  }

  Rng rng_;
  Spread spread_;
  std::vector<Statistic> systems_;
  Clusters clusters_;
};

TEST_CASE("intervals cover the truth as often as they say, whatever varies most") {
  const auto [what, spread] = GENERATE(table<std::string, Spread>({
      {"articles", {0.105, 0.3, 0.012, 0.3}},
      {"seeds", {0.02, 0.2, 0.05, 0.3}},
      {"articles and seeds alike", {0.06, 0.2, 0.02, 0.3}},
      {"single answers", {0, 0.1, 0, 0.5}},
  }));
  // `make soak` has more trials, which tell smaller errors.
  const bool many = what == "articles" && std::getenv("MINIBERT_MANY_TRIALS") != nullptr;
  const int trials = many ? 2000 : 600, plain_trials = many ? trials : 150;
  int clustered = 0, by_question = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Exam exam(static_cast<uint64_t>(trial), spread);
    const Interval interval = exam.clustered();
    clustered += interval.low <= 0 && 0 <= interval.high;
    CHECK((interval.p >= 0.05) == (interval.low <= 0 && 0 <= interval.high));
    if (what != "articles" || trial >= plain_trials) continue;
    const Interval plain = exam.by_question();
    by_question += plain.low <= 0 && 0 <= plain.high;
  }
  INFO(what << ": clustered " << clustered << " of " << trials << ", by question " << by_question
            << " of " << plain_trials);
  CHECK(std::abs(static_cast<double>(clustered) / trials - 0.95) <= (many ? 0.015 : 0.02));
  if (what == "articles") CHECK(static_cast<double>(by_question) / plain_trials < 0.8);
}

TEST_CASE(
    "exchanging answers in whole clusters is right as often as it says where runs are alike") {
  constexpr int kTrials = 600;
  int kept = 0;
  for (uint64_t trial = 0; trial < kTrials; ++trial)
    kept += Exam(trial, {0.105, 0.3, 0, 0.3}).clustered().p_exchanged >= 0.05;
  CHECK(static_cast<double>(kept) / kTrials == Approx(0.95).margin(0.02));
}

TEST_CASE("exchanges of few clusters can be counted out") {
  // Three clusters that all differ by as much: 2 of 8 exchanges are as large.
  CHECK(interval_of({1, 1, 1}).p_exchanged == Approx(0.25).margin(0.03));
  // Every exchange of 3, 0 and 0 gives as much.
  CHECK(interval_of({3, 0, 0}).p_exchanged == 1);
  // 20 of 20: 2 of 2^20, of which 1,999 draws see none.
  CHECK(interval_of(std::vector<double>(20, 1)).p_exchanged == Approx(1.0 / 2000));
}

TEST_CASE("Student's t is that of published tables") {
  CHECK(student_point(0.05, 1) == Approx(12.7062).epsilon(1e-5));
  CHECK(student_point(0.05, 2) == Approx(4.30265).epsilon(1e-5));
  CHECK(student_point(0.05, 27) == Approx(2.05183).epsilon(1e-5));
  CHECK(student_point(0.4, 10) == Approx(0.879058).epsilon(1e-5));
  CHECK(student_point(0.05, 1e6) == Approx(1.95996).epsilon(1e-5));
  CHECK(student_beyond(-2.05183, 27) == Approx(0.05).epsilon(1e-4));
  CHECK(student_beyond(0, 3) == 1);
  CHECK(student_beyond(30, 1e6) < 1e-100);
}

TEST_CASE("Holm's correction multiplies the smallest p by all, the next by one fewer") {
  const std::vector<double> corrected = holm({0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected = {0.03, 0.06, 0.06, 0.02};
  for (size_t i = 0; i < expected.size(); ++i) CHECK(corrected[i] == Approx(expected[i]));
  CHECK(holm({0.7, 0.8}) == std::vector<double>{1, 1});
  CHECK(holm({}).empty());
}

TEST_CASE("where all examples are of one cluster, each is taken for itself") {
  RunRecord run = testing::finished_run("bert", 1, {1, 0, 1, 0, 1, 0}, {1, 0, 1, 0, 1, 0});
  run.predictions->texts[layout::kClusterColumn] = std::vector<std::string>(6, "한 글");
  const auto found = intervals_of(*run.predictions, testing::kMeasures);
  CHECK(found.at("exact_match").low < 50);
  CHECK(found.at("exact_match").high > 50);
}

TEST_CASE("examples of one cluster are drawn together") {
  // Two clusters: means of two draws of whole clusters, 0 or 100 each, whatever their sizes.
  const Bootstrap bootstrap(4, {{0, 1, 1, 1}, 2}, {mean_of({0, 100, 100, 100})});
  CHECK(bootstrap[0].value == 75);
  for (const double mean : bootstrap[0].resampled) CHECK((mean == 0 || mean == 75 || mean == 100));
  CHECK(bootstrap[0].parts == std::vector<double>{0, 75});
}

TEST_CASE("an arm's runs widen its intervals, and one run is taken as it is") {
  Statistic one = mean_of({1, 1, 1}), two = one;
  two.of_runs = {mean_of({0, 0, 0}).of, mean_of({2, 2, 2}).of};
  one.of_runs = {mean_of({1, 1, 1}).of};
  const Bootstrap bootstrap(3, {}, {one, two});
  CHECK(bootstrap[0].runs_variance == 0);
  CHECK(bootstrap.of(0).error == 0);
  CHECK(bootstrap[1].runs_variance == 1);  // of a mean of two runs that vary by 2
  const Interval interval = bootstrap.of(1);
  CHECK(interval.high - 1 == Approx(12.7062).epsilon(1e-5));  // one degree of freedom
  CHECK(bootstrap.difference(0, 1).higher == 0.5);            // above one run, below the other
}

TEST_CASE("one example has an interval of its runs alone, and without those none") {
  Statistic two = mean_of({1});
  two.of_runs = {mean_of({0}).of, mean_of({2}).of};
  const Bootstrap bootstrap(1, {}, {two, mean_of({3})});
  CHECK(bootstrap.of(0).high == Approx(1 + 12.7062).epsilon(1e-5));
  CHECK(bootstrap.of(1).error == 0);
  CHECK(bootstrap.of(1).p == 1);
}

TEST_CASE("a difference that is just detectable is missed one time in five") {
  std::vector<double> differences(1000, 0);
  std::fill(differences.begin(), differences.begin() + 300, 100);
  std::fill(differences.begin() + 300, differences.begin() + 500, -100);
  const Interval interval = interval_of(differences);
  CHECK(interval.detectable == Approx((1.962 + 0.842) * interval.error).epsilon(0.001));
}

}  // namespace
}  // namespace minibert

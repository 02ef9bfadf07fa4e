// The jackknife over clusters and runs against cases that can be worked out by hand, and how often it covers the truth.
#include "compare/jackknife.h"

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
Interval interval_of(const std::vector<double>& differences) {
  const std::vector<double> nothing(differences.size());
  return Jackknife(differences.size(), {}, {mean_of(differences), mean_of(nothing)})
      .difference(0, 1);
}

// A mean over runs, a column each.
Statistic means_of(const std::vector<std::vector<double>>& runs) {
  Statistic out;
  for (const std::vector<double>& run : runs) out.push_back(mean_of(run)[0]);
  return out;
}

TEST_CASE("no difference on any example is an interval of exactly nothing") {
  const Interval interval = interval_of(std::vector<double>(100, 0.0));
  CHECK(interval.difference == 0);
  CHECK(interval.low == 0);
  CHECK(interval.high == 0);
}

TEST_CASE("examples that all differ alike give no interval, and the p of exchanging them") {
  // A tenth cannot be written in binary: sums of 64 vary by rounding alone.
  const auto [examples, shift, p] =
      GENERATE(table<size_t, double, double>({{1, 100, 1}, {3, 100, 0.25}, {64, 0.1, 0.0005}}));
  const Interval interval = interval_of(std::vector<double>(examples, shift));
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
  const Interval interval = interval_of({1, std::numeric_limits<double>::quiet_NaN(), 3});
  for (const double one : {interval.difference, interval.low, interval.high, interval.error,
                           interval.p, interval.p_exchanged, interval.higher})
    CHECK(std::isnan(one));
}

TEST_CASE("two examples tell next to nothing") {
  // The standard error of the mean of 0 and 100 is 50, and Student's t with one degree of freedom 12.706.
  const Interval interval = interval_of({0, 100});
  CHECK(interval.error == Approx(50));
  CHECK(interval.high - 50 == Approx(12.706 * interval.error).epsilon(1e-4));
  CHECK(interval.p == Approx(0.5));  // beyond 1 in either direction
}

TEST_CASE("the interval is that of the normal approximation for many examples") {
  // 1000 examples, 300 of them won and 200 lost by 100 points: mean 10, deviation 70, so the
  // standard error is 70 / sqrt(1000) = 2.2136 and the interval 10 ± 1.96 · 2.2136 = 10 ± 4.339.
  std::vector<double> differences(1000, 0);
  std::fill(differences.begin(), differences.begin() + 300, 100);
  std::fill(differences.begin() + 300, differences.begin() + 500, -100);
  const Interval interval = interval_of(differences);
  CHECK(interval.difference == Approx(10));
  CHECK(interval.low == Approx(10 - 4.339).margin(0.02));
  CHECK(interval.high == Approx(10 + 4.339).margin(0.02));
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

TEST_CASE("clusters of unequal sizes count as fewer") {
  const std::vector<double> column = {1, 2, 4, 8, 16};
  const auto effective = [&](const Clusters& clusters) {
    return Jackknife(5, clusters, {mean_of(column)}).effective_clusters();
  };
  CHECK(effective({}) == 5);
  CHECK(effective({{0, 0, 1, 1, 2}, 3}) == Approx(25.0 / 9));
  CHECK(effective({{0, 0, 0, 0, 1}, 2}) == 2);  // no fewer than two, of which one is little
}

// Questions come in articles, and every system was trained from several seeds. Each trial draws how hard the
// articles and their questions are for each of two equally good systems, how well its seeds turned out, and what
// each seed answers.
struct Spread {
  double article, question, seed, answer;
};

class Exam {
 public:
  // `is_binary`: answers are right or wrong instead of more or less good.
  Exam(uint64_t trial, const Spread& spread, const std::vector<uint32_t>& sizes, bool is_binary,
       size_t seeds = 3)
      : rng_(11, "test/exam", 0, trial),
        spread_(spread),
        sizes_(sizes),
        is_binary_(is_binary),
        seeds_(seeds) {
    for (uint32_t article = 0; article < sizes.size(); ++article)
      clusters_.of.insert(clusters_.of.end(), sizes[article], article);
    clusters_.count = sizes.size();
    for (int i = 0; i < 2; ++i) systems_.push_back(system());
  }

  // The interval of their difference, which is 0 in truth.
  Interval clustered() const {
    return Jackknife(clusters_.of.size(), clusters_, systems_).difference(0, 1);
  }
  // As if questions were independent, and the runs all that there can be.
  Interval by_question() const {
    std::vector<Statistic> means;
    for (const Statistic& system : systems_) {
      std::vector<double> mean(clusters_.of.size());
      for (const RunFigure& run : system)
        for (const RunFigure::Addend& one : run.addends)
          mean[one.example] += one.value / static_cast<double>(system.size());
      means.push_back(mean_of(mean));
    }
    return Jackknife(clusters_.of.size(), {}, means).difference(0, 1);
  }

 private:
  double normal(double spread) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += rng_.uniform();
    return spread * sum;
  }

  Statistic system() {
    constexpr double kHard = 0.35;  // beyond which an answer is right
    std::vector<std::vector<double>> runs(seeds_);
    std::vector<double> seeds(seeds_);
    for (double& seed : seeds) seed = normal(spread_.seed);
    for (const uint32_t size : sizes_) {
      const double article = normal(spread_.article);
      for (uint32_t q = 0; q < size; ++q) {
        const double question = article + normal(spread_.question);
        for (size_t s = 0; s < seeds_; ++s) {
          const double answer = question + seeds[s] + normal(spread_.answer);
          runs[s].push_back(is_binary_ ? static_cast<double>(answer > kHard) : answer);
        }
      }
    }
    return means_of(runs);
  }

  Rng rng_;
  Spread spread_;
  const std::vector<uint32_t>& sizes_;
  bool is_binary_;
  size_t seeds_;
  std::vector<Statistic> systems_;
  Clusters clusters_;
};

const std::vector<uint32_t> kEqual(28, 20);
// The articles of KorQuAD's test questions here: of all registered sets the fewest clusters, and the most uneven.
const std::vector<uint32_t> kKorquad = {6,  9,  11,  13,  13,  14,  18,  20, 23, 23,
                                        23, 24, 25,  25,  25,  25,  26,  46, 67, 74,
                                        76, 96, 105, 105, 123, 124, 128, 177};

// Those of TyDi QA's, the smallest registered test set.
std::vector<uint32_t> tydiqa_sizes() {
  std::vector<uint32_t> sizes = {7, 7};
  for (const auto& [size, count] : {std::pair(5u, 4), std::pair(4u, 4), std::pair(3u, 8),
                                    std::pair(2u, 33), std::pair(1u, 136)})
    sizes.insert(sizes.end(), static_cast<size_t>(count), size);
  return sizes;
}

bool covers(const Interval& interval) { return interval.low <= 0 && 0 <= interval.high; }

// `make soak` has more trials, which tell smaller errors.
int trials_of(int few) { return std::getenv("MINIBERT_MANY_TRIALS") != nullptr ? 5000 : few; }

TEST_CASE("intervals cover the truth with clusters of any sizes and answers of both kinds") {
  const std::string sizes = GENERATE("equal", "KorQuAD", "TyDi QA");
  const bool is_binary = GENERATE(false, true);
  const std::vector<uint32_t> of = sizes == "equal"     ? kEqual
                                   : sizes == "KorQuAD" ? kKorquad
                                                        : tydiqa_sizes();
  const int trials = trials_of(1500);
  int covered = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Exam exam(static_cast<uint64_t>(trial), {0.09, 0.25, 0.016, 0.3}, of, is_binary);
    const Interval interval = exam.clustered();
    covered += covers(interval);
    CHECK((interval.p >= 0.05) == covers(interval));
  }
  INFO(sizes << (is_binary ? ", right or wrong" : ", more or less right") << ": " << covered
             << " of " << trials);
  CHECK(std::abs(static_cast<double>(covered) / trials - 0.95) <= 0.015);
}

TEST_CASE("intervals cover the truth as often as they say, whatever varies most") {
  const auto [what, spread] = GENERATE(table<std::string, Spread>({
      {"articles", {0.105, 0.3, 0.012, 0.3}},
      {"seeds", {0.02, 0.2, 0.05, 0.3}},
      {"articles and seeds alike", {0.06, 0.2, 0.02, 0.3}},
      {"single answers", {0, 0.1, 0, 0.5}},
  }));
  const int trials = trials_of(1500);
  int clustered = 0, by_question = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Exam exam(static_cast<uint64_t>(trial), spread, kEqual, false);
    clustered += covers(exam.clustered());
    if (what == "articles") by_question += covers(exam.by_question());
  }
  INFO(what << ": clustered " << clustered << ", by question " << by_question << " of " << trials);
  CHECK(std::abs(static_cast<double>(clustered) / trials - 0.95) <= 0.02);
  if (what == "articles") CHECK(static_cast<double>(by_question) / trials < 0.8);
}

TEST_CASE("with one run of each system the interval covers what other articles would give alone") {
  const int trials = trials_of(600);
  int same_seeds = 0, other_seeds = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto at = static_cast<uint64_t>(trial);
    same_seeds += covers(Exam(at, {0.105, 0.3, 0, 0.3}, kKorquad, false, 1).clustered());
    other_seeds += covers(Exam(at, {0.02, 0.2, 0.05, 0.3}, kKorquad, false, 1).clustered());
  }
  INFO(same_seeds << " and " << other_seeds << " of " << trials);
  CHECK(std::abs(static_cast<double>(same_seeds) / trials - 0.95) <= 0.02);
  CHECK(static_cast<double>(other_seeds) / trials < 0.6);  // so that it may say nothing of seeds
}

TEST_CASE(
    "exchanging answers in whole clusters is right as often as it says where runs are alike") {
  constexpr int kTrials = 600;
  int kept = 0;
  for (uint64_t trial = 0; trial < kTrials; ++trial)
    kept += Exam(trial, {0.105, 0.3, 0, 0.3}, kEqual, false).clustered().p_exchanged >= 0.05;
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
  const std::vector<double> corrected = holm({0.01, 0.04, 0.03, 0.005}, 4);
  const std::vector<double> expected = {0.03, 0.06, 0.06, 0.02};
  for (size_t i = 0; i < expected.size(); ++i) CHECK(corrected[i] == Approx(expected[i]));
  CHECK(holm({0.7, 0.8}, 2) == std::vector<double>{1, 1});
  CHECK(holm({}, 3).empty());
}

TEST_CASE("members of the family that are not there make no p smaller than with them") {
  const std::vector<double> all = {0.001, 0.01, 0.012, 0.2, 0.04};
  const std::vector<double> corrected = holm(all, all.size());
  for (size_t left_out = 0; left_out < all.size(); ++left_out) {
    std::vector<double> some = all, of_some = corrected;
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(left_out));
    of_some.erase(of_some.begin() + static_cast<std::ptrdiff_t>(left_out));
    const std::vector<double> found = holm(some, all.size());
    for (size_t i = 0; i < some.size(); ++i) CHECK(found[i] >= of_some[i] - 1e-15);
  }
}

TEST_CASE("where all examples are of one cluster, each is taken for itself") {
  RunRecord run = testing::finished_run("bert", 1, {1, 0, 1, 0, 1, 0}, {1, 0, 1, 0, 1, 0});
  run.predictions->texts[layout::kClusterColumn] = std::vector<std::string>(6, "한 글");
  const auto found = intervals_of(*run.predictions, testing::kMeasures);
  CHECK(found.at("exact_match").low < 50);
  CHECK(found.at("exact_match").high > 50);
}

TEST_CASE("examples of one cluster are left out together") {
  // Without the first cluster the mean is 100, without the second 0.
  const Jackknife jackknife(4, {{0, 1, 1, 1}, 2}, {mean_of({0, 100, 100, 100})});
  CHECK(jackknife[0].mean.value == 75);
  CHECK(jackknife[0].mean.by_cluster == std::vector<double>{25, -75});
  CHECK(jackknife.of(0).error == Approx(std::sqrt((25 * 25 + 75 * 75) / 2.0)));
}

TEST_CASE("clusters need not stand together, nor in order") {
  const std::vector<double> column = {3, 0, 1, 8, 2};
  const Jackknife apart(5, {{1, 0, 1, 2, 0}, 3}, {mean_of(column)}),
      together(5, {{0, 0, 1, 1, 2}, 3}, {mean_of({0, 2, 3, 1, 8})});
  CHECK(apart[0].mean.by_cluster == together[0].mean.by_cluster);
}

TEST_CASE("an arm's runs widen its intervals, and one run is taken as it is") {
  const Jackknife jackknife(3, {}, {means_of({{1, 1, 1}}), means_of({{0, 0, 0}, {2, 2, 2}})});
  CHECK(jackknife[0].runs_variance == 0);
  CHECK(jackknife.of(0).error == 0);
  CHECK(jackknife[1].runs_variance == 1);  // of a mean of two runs that vary by 2
  const Interval interval = jackknife.of(1);
  CHECK(interval.high - 1 == Approx(12.7062).epsilon(1e-5));  // one degree of freedom
  CHECK(jackknife.difference(0, 1).higher == 0.5);            // above one run, below the other
}

TEST_CASE("a run is higher than another as often as their difference says") {
  // Two runs that differ by one standard error of their difference: 84.1 % of a normal.
  const Jackknife jackknife(2, {}, {mean_of({2, 0}), mean_of({0, 0})});
  CHECK(jackknife.difference(0, 1).error == Approx(1));
  CHECK(jackknife.difference(0, 1).higher == Approx(0.8413).epsilon(1e-4));
  CHECK(jackknife.difference(1, 0).higher == Approx(0.1587).epsilon(1e-3));
}

TEST_CASE("one example has an interval of its runs alone, and without those none") {
  const Jackknife jackknife(1, {}, {means_of({{0}, {2}}), mean_of({3})});
  CHECK(jackknife.of(0).high == Approx(1 + 12.7062).epsilon(1e-5));
  CHECK(jackknife.of(1).error == 0);
  CHECK(jackknife.of(1).p == 1);
}

TEST_CASE("a difference that is just detectable is missed one time in five") {
  std::vector<double> differences(1000, 0);
  std::fill(differences.begin(), differences.begin() + 300, 100);
  std::fill(differences.begin() + 300, differences.begin() + 500, -100);
  const Interval interval = interval_of(differences);
  CHECK(interval.detectable == Approx((1.962 + 0.842) * interval.error).epsilon(0.001));
}

TEST_CASE("what a second run would be needed for can be forgotten") {
  Interval interval = interval_of({0, 100, 100});
  forget_chance(&interval);
  CHECK(interval.error > 0);
  for (const double one : {interval.p, interval.p_exchanged, interval.higher, interval.detectable})
    CHECK(std::isnan(one));
}

}  // namespace
}  // namespace minibert

// Intervals of figures and of their differences: how far they may be due to which examples were asked and to
// which seeds were run.
//
// Examples of one article, document or group are alike, so whole clusters are left out, one at a time (the jackknife:
// Miller, Biometrika 1974; for language models arXiv:2411.00640 names why clusters). How much the figures without one
// cluster vary is the variance due to examples, also where clusters are few and of unequal sizes (CV3 of MacKinnon,
// Nielsen & Webb, Journal of Applied Econometrics 2023). Each system's own runs add the variance of their mean; what is
// due to single answers in it, the clusters hold already (as V1 + V2 - V12 of Cameron, Gelbach & Miller, JBES 2011;
// counted twice it makes intervals of small differences too wide, see Owen, The pigeonhole bootstrap, arXiv:0712.1111).
// Few clusters or runs estimate their variance badly, so an interval reaches as many standard errors as Student's t
// with the degrees of freedom of that sum (Satterthwaite, Biometrics Bulletin 1946). Clusters of unequal sizes count as
// fewer: (sum of sizes)^2 / sum of squared sizes (Kish, Survey Sampling, 1965).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace minibert {

// Which examples belong together.
struct Clusters {
  std::vector<uint32_t> of;  // of every example: 0 to count - 1; empty: every example is one
  size_t count = 0;
};

// One run's figure as a function of sums over its examples, so that it is quickly made without some of them.
struct RunFigure {
  struct Addend {
    uint32_t example, sum;  // which example adds to which sum
    double value;
  };
  size_t sums = 0;
  std::vector<Addend> addends;  // in the order of the examples
  // Of the sums over some of the examples, and how many examples these are (at least 1).
  std::function<double(std::span<const double> sums, double examples)> of;
};

// A system's figure: the mean of its runs' figures.
using Statistic = std::vector<RunFigure>;

// The figure of examples each taken `times` times: for tests and for figures of some of the examples.
double figure_of_sample(const Statistic& statistic, std::span<const double> times);

// A figure with what leaving out each cluster changes of it.
struct Shifts {
  double value = 0;                // of all examples
  std::vector<double> by_cluster;  // the value without the cluster, minus the value
};

struct Estimate {
  Shifts mean;                  // over the runs
  std::vector<Shifts> runs;     // of each run
  double runs_variance = 0;     // of the mean, as far as other runs would change it; 0 of one run
  double answers_variance = 0;  // over clusters, of how a run differs from the mean of the runs
};

// `a` minus `b`. What is not known is NaN: everything else where the difference is no finite number.
struct Interval {
  double difference = 0;
  // 95 %; not known where all clusters differ alike, nor are `error` and `detectable`.
  double low = 0, high = 0;
  double error = 0;  // standard
  // How probable a difference as large would be if there were none in truth: `p` by the interval's own error,
  // `p_exchanged` by exchanging the two systems' answers in whole clusters at random (Fisher; Noreen 1989). The
  // second takes the runs as they are, and stands for the first where all clusters differ alike.
  double p = 1, p_exchanged = 1;
  // How probable it is that a run of `a` has a higher figure than one of `b` on examples drawn anew; equal ones
  // count half (probability of improvement, Agarwal et al., arXiv:2108.13264).
  double higher = 0.5;
  // The smallest true difference whose interval would leave out 0 four times in five.
  double detectable = 0;
};

// Takes out of an interval what a second run of each system would be needed for: p values, `higher` and `detectable`
// become NaN. What is left is over clusters alone.
void forget_chance(Interval* interval);

// Estimates of several statistics on the same examples.
class Jackknife {
 public:
  // At least one example.
  Jackknife(size_t examples, const Clusters& clusters, const std::vector<Statistic>& statistics);

  const Estimate& operator[](size_t statistic) const { return estimates_[statistic]; }
  // As many equal clusters would tell as much: at least 2, at most the clusters.
  double effective_clusters() const { return effective_; }
  // The interval of the difference of two statistics.
  Interval difference(size_t a, size_t b) const;
  // The interval of one statistic's difference from 0. Nothing is exchanged: p_exchanged is 1.
  Interval of(size_t statistic) const;

 private:
  Interval interval(const Estimate& a, const Estimate& b, double p_exchanged) const;
  double exchanged(const Estimate& a, const Estimate& b) const;

  std::vector<double> sizes_;  // examples of each cluster
  double effective_ = 2;
  std::vector<Estimate> estimates_;
  std::vector<std::vector<int8_t>> signs_;  // of the groups of clusters, by exchange
};

// Fewer clusters or runs of an arm than these are told as few: how much they vary is then known badly.
inline constexpr int kFewClusters = 30;
inline constexpr int kFewRuns = 3;

// How probable Student's t with `freedom` degrees (at least 0.5) is beyond t, in either direction.
double student_beyond(double t, double freedom);
// The point that it is beyond, in either direction, with probability p.
double student_point(double p, double freedom);

// The smallest true difference between two shares of right answers (0 to 1) that so many examples of so many
// clusters show four times in five, at best: where two systems disagree about the share `disagreement` of them, and
// examples of one cluster are no more alike than others. At least two clusters.
double detectable_share(size_t examples, size_t clusters, double disagreement);

// p-values by Holm's correction, in their order, of a family of `family` (at least as many as these): of all that are
// below 0.05 the chance that any is false is at most 0.05 (Scandinavian Journal of Statistics 1979). Members of the
// family that are not here count as if their p were larger, which makes no p smaller than with them.
std::vector<double> holm(const std::vector<double>& p, size_t family);

}  // namespace minibert

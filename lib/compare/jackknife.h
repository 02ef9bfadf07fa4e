// Intervals of figures and of their differences: their uncertainty due to the choice of examples
// and of seeds.
//
// Examples of one article, document or group are alike, so whole clusters are left out, one at a
// time (the jackknife: Miller, Biometrika 1974; for language models arXiv:2411.00640 explains
// clusters). The variation of the figures without one cluster is the variance due to examples, also
// with few clusters of unequal sizes (CV3 of MacKinnon, Nielsen & Webb, Journal of Applied
// Econometrics 2023). Each system's own runs add the variance of their mean, less the part due to
// single answers, which the clusters hold already (as V1 + V2 - V12 of Cameron, Gelbach & Miller,
// JBES 2011; counted twice it makes intervals of small differences too wide, see Owen, The
// pigeonhole bootstrap, arXiv:0712.1111). Few clusters or runs estimate their variance badly, so an
// interval reaches as many standard errors as Student's t with the degrees of freedom of that sum
// (Satterthwaite, Biometrics Bulletin 1946). Clusters of unequal sizes count as fewer: (sum of
// sizes)^2 / sum of squared sizes (Kish, Survey Sampling, 1965).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace minibert {

// A cluster holds examples that are alike, because they share an article, a document or a group.
struct Clusters {
  std::vector<uint32_t> of;  // by example: 0 to count - 1; empty: every example is one
  size_t count = 0;
};

// One run's figure as a function of sums over its examples: leaving some out takes no time.
struct RunFigure {
  struct Addend {
    uint32_t example, sum;  // the example adds to this sum
    double value;
  };
  size_t sums = 0;
  std::vector<Addend> addends;  // in the order of examples
  // Returns the figure of some examples, at least one, from their sums and their number.
  std::function<double(std::span<const double> sums, double examples)> of;
};

// The figure of a system (an arm, or one evaluated model): the mean of its runs' figures.
using Statistic = std::vector<RunFigure>;

// Returns the figure if example i counts times[i] times: for tests and for chosen examples.
double figure_of_sample(const Statistic& statistic, std::span<const double> times);

// A figure, and its change if one cluster is left out.
struct Shifts {
  double value = 0;                // over all examples
  std::vector<double> by_cluster;  // the value without the cluster, minus the value
};

struct Estimate {
  Shifts mean;                  // over runs
  std::vector<Shifts> runs;     // by run
  double runs_variance = 0;     // of the mean, due to the choice of runs; 0 for one run
  double answers_variance = 0;  // over clusters, of a run's difference from the mean run
};

// Figure `a` minus figure `b`. Unknown values are NaN: all if the difference is not finite.
struct Interval {
  double difference = 0;
  // 95 %; NaN, like `error` and `detectable`, if all clusters' differences are equal.
  double low = 0, high = 0;
  double error = 0;  // standard error
  // The probability of a difference as large if there were none in truth: `p` from the interval's
  // error, `p_exchanged` by exchanging the two systems' answers in whole clusters at random
  // (Fisher; Noreen 1989). The second takes the runs as given; it replaces `p` if all clusters
  // differ alike.
  double p = 1, p_exchanged = 1;
  // The probability that a run of `a` has a higher figure than a run of `b` on newly drawn
  // examples; ties count half (probability of improvement, Agarwal et al., arXiv:2108.13264).
  double higher = 0.5;
  // The smallest true difference whose interval would exclude 0 four times in five.
  double detectable = 0;
};

// Removes from an interval what needs a second run of each system: p values, `higher` and
// `detectable` become NaN. The rest is over clusters alone.
void forget_chance(Interval* interval);

// Estimates of several statistics on the same examples.
class Jackknife {
 public:
  // At least one example.
  Jackknife(size_t examples, const Clusters& clusters, const std::vector<Statistic>& statistics);

  const Estimate& operator[](size_t statistic) const { return estimates_[statistic]; }
  // Returns how many clusters of equal size would tell as much: from 2 to the number of clusters.
  double effective_clusters() const { return effective_; }
  // The interval of the difference of two statistics.
  Interval difference(size_t a, size_t b) const;
  // The interval of one statistic's difference from 0. Nothing is exchanged: p_exchanged is 1.
  Interval of(size_t statistic) const;

 private:
  Interval interval(const Estimate& a, const Estimate& b, double p_exchanged) const;
  double exchanged(const Estimate& a, const Estimate& b) const;

  std::vector<double> sizes_;  // by cluster: its number of examples
  double effective_ = 2;
  std::vector<Estimate> estimates_;
  std::vector<std::vector<int8_t>> signs_;  // of groups of clusters, by exchange
};

// Fewer clusters or runs are reported as few, because they estimate their variance badly.
inline constexpr int kFewClusters = 30;
inline constexpr int kFewRuns = 3;

// Returns the probability of Student's t with `freedom` degrees (at least 0.5) beyond ±t.
double student_beyond(double t, double freedom);
// Returns the t beyond which that probability is p.
double student_point(double p, double freedom);

// Returns the smallest true difference between two shares of right answers (0 to 1) that is found
// four times in five, at best, if two systems disagree about the share `disagreement` of the
// examples: it takes a larger one if examples of a cluster are alike. `clusters` is at least 2.
double detectable_share(size_t examples, size_t clusters, double disagreement);

// Returns p-values with Holm's correction, in their order: the probability that any below 0.05 is
// false is at most 0.05 (Scandinavian Journal of Statistics 1979). `family` is the number of all
// tests, at least p.size(); a test without a p here counts as if its p were larger than all others.
std::vector<double> holm(const std::vector<double>& p, size_t family);

}  // namespace minibert

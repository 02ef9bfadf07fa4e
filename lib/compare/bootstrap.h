// Intervals of figures and of their differences: how far they may be due to which examples were asked and to
// which seeds were run.
//
// Examples of one article, document or group are alike, so whole clusters are drawn with replacement (Davison &
// Hinkley, Bootstrap Methods and their Application, 1997, 3.8; for language models Miller, arXiv:2411.00640), the
// same for both systems (Koehn, EMNLP 2004). How much the figures of the draws vary is the variance due to
// examples. Each system's own runs add the variance of their mean; what is of single answers in it, the draws
// hold already (as V1 + V2 - V12 of Cameron, Gelbach & Miller, JBES 2011; counted twice it makes intervals of
// small differences too wide, see Owen, The pigeonhole bootstrap, arXiv:0712.1111). Few clusters or runs estimate
// their variance badly, so an interval reaches as many standard errors as Student's t with the degrees of freedom
// of that sum (Satterthwaite, Biometrics Bulletin 1946).
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

// Its argument says how often each example stands in a sample: whole numbers that are not all 0.
using Figuring = std::function<double(std::span<const double> times)>;

struct Statistic {
  Figuring of;  // the mean over a system's runs
  int resamples;
  // The same figure of each run alone. Fewer than two: what other runs would give is not known.
  std::vector<Figuring> of_runs = {};
};

// The mean of a column, which is cheap; others take a pass over labels or tags at every resample.
inline constexpr int kMeanResamples = 10000;
inline constexpr int kOtherResamples = 2000;
inline constexpr int kRunResamples =
    1000;  // the first, at most, that each run's own figure is made of

// What an interval lets vary.
enum class Resampling {
  clusters_and_runs,  // whole clusters of examples, and an arm's runs
  examples,           // every example by itself, of the runs as they are: plain percentiles
};

struct Estimate {
  double value = 0;                          // of the examples as they are
  std::vector<double> resampled;             // of each resample
  std::vector<std::vector<double>> of_runs;  // each run's, of the first resamples
  double runs_variance = 0;                  // of the value, as far as other runs would change it
  // What each group of clusters adds to the value: they sum up to a mean; other figures are taken as straight
  // lines in the clusters' weights (the jackknife's way).
  std::vector<double> parts;
};

// `a` minus `b`. What is not known is NaN: everything else where the difference is no finite number.
struct Interval {
  double difference = 0;
  // 95 %; not known where all examples differ alike, nor are `error` and `detectable`.
  double low = 0, high = 0;
  int resamples = 0;
  double error = 0;  // standard; of plain percentiles that of the resamples
  // How probable a difference as large would be if there were none in truth: `p` by the interval's own error,
  // `p_exchanged` by exchanging the two systems' answers in whole clusters at random (Fisher; Noreen 1989). The
  // second takes the runs as they are, and stands for the first where all examples differ alike.
  double p = 1, p_exchanged = 1;
  // How probable it is that a run of `a` has a higher figure than one of `b` on examples drawn anew; equal ones
  // count half (probability of improvement, Agarwal et al., arXiv:2108.13264).
  double higher = 0.5;
  // The smallest true difference whose interval would leave out 0 four times in five.
  double detectable = 0;
};

// Estimates of one bootstrap.
class Bootstrap {
 public:
  // All statistics see the same clusters (one that takes fewer resamples sees the first), and so does every
  // Bootstrap with as many: A against B is B against A with the sign changed. At least one example.
  Bootstrap(size_t examples, const Clusters& clusters, const std::vector<Statistic>& statistics,
            Resampling resampling = Resampling::clusters_and_runs);

  const Estimate& operator[](size_t statistic) const { return estimates_[statistic]; }
  // The interval of the difference of two statistics with as many resamples.
  Interval difference(size_t a, size_t b) const;
  // The interval of one statistic's difference from 0.
  Interval of(size_t statistic) const;

 private:
  Interval interval(const Estimate& a, const Estimate& b) const;
  double exchanged(const std::vector<double>& parts) const;

  size_t clusters_;  // that a resample draws
  Resampling resampling_;
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

// p-values of one family, in their order, by Holm's correction: of all that are below 0.05 the chance that any is
// false is at most 0.05 (Scandinavian Journal of Statistics 1979).
std::vector<double> holm(const std::vector<double>& p);

}  // namespace minibert

// Paired bootstrap over examples: how far a difference between two systems may be due to which
// examples were asked. Efron & Tibshirani, An Introduction to the Bootstrap (1993), ch. 13 (the
// percentile interval); Koehn, Statistical Significance Tests for Machine Translation Evaluation
// (EMNLP 2004), for pairing by test item.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace minibert {

// A figure of a sample in which example i stands times[i] times, whole numbers that add up to the
// number of examples; all 1 are the examples as they are.
struct Statistic {
  std::function<double(std::span<const double> times)> of;
  int resamples;
};

// The mean of a column, which is cheap; others take a pass over labels or tags at every resample.
inline constexpr int kMeanResamples = 10000;
inline constexpr int kOtherResamples = 2000;

struct Estimate {
  double value = 0;               // of the examples as they are
  std::vector<double> resampled;  // of each resample
};

struct Interval {
  double difference = 0;  // of the values
  double low = 0;         // 2.5th and 97.5th percentile of the resampled differences
  double high = 0;
  int resamples = 0;
};

// All statistics see the same resamples (one that takes fewer sees the first), and so does every
// call with as many examples: A against B is B against A with the sign changed. At least one
// example.
std::vector<Estimate> bootstrap(size_t examples, const std::vector<Statistic>& statistics);

// a minus b, of one call and with as many resamples.
Interval difference_of(const Estimate& a, const Estimate& b);

}  // namespace minibert

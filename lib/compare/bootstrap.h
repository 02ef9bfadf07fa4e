// Paired bootstrap over questions: how far a difference between two systems may be due to which
// questions were asked. Efron & Tibshirani, An Introduction to the Bootstrap (1993), ch. 13 (the
// percentile interval); Koehn, Statistical Significance Tests for Machine Translation Evaluation
// (EMNLP 2004), for pairing by test item.
#pragma once

#include <cstddef>
#include <vector>

namespace minibert {

inline constexpr int kResamples = 10000;

struct Interval {
  double difference = 0;  // the mean of the differences
  double low = 0;         // 2.5th and 97.5th percentile of the resampled means
  double high = 0;
};

// differences[m][q]: by how much system A beats system B on question q in measure m. All measures
// see the same resamples, and so does every call with as many questions: A against B is B against A
// with the sign changed. Every measure has the same number of questions, at least one.
std::vector<Interval> paired_bootstrap(const std::vector<std::vector<double>>& differences,
                                       int resamples = kResamples);

}  // namespace minibert

// Figures of predicted labels and of predicted numbers against the true ones.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace minibert {

// How many examples of each true label got each predicted one. Counts need not be whole.
struct Confusion {
  std::vector<std::string> labels;  // that occur in either column, sorted
  std::vector<double> counts;       // [true label][predicted label]
  // Where two labels that occur are counted.
  size_t cell(const std::string& gold, const std::string& prediction) const;
};

// Throws Error unless both are as long.
Confusion confusion_of(const std::vector<std::string>& gold,
                       const std::vector<std::string>& prediction);

// The share of examples whose label is right, 0 to 1; 0 without examples.
double accuracy(const Confusion& confusion);

// The mean over labels of 2 tp / (true + predicted), 0 to 1, each label counting alike; over those
// with at least one true or predicted example (scikit-learn's f1_score(average="macro")), aside
// from `left_out`. 0 when there is none.
double macro_f1(const Confusion& confusion, std::string_view left_out = {});

// The correlation of true and predicted labels, -1 to 1; 0 when all true or all predicted labels
// are the same. For two labels Matthews' coefficient, for more R_K of Gorodkin, Comparing two
// K-category assignments by a K-category correlation coefficient (Computational Biology and
// Chemistry 28, 2004).
double matthews(const Confusion& confusion);

// Sums over pairs of numbers, each pair taken `times` times.
struct PairSums {
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  void add(double x_value, double y_value, double times = 1);
};

// Pearson's correlation, -1 to 1; 0 where it is undefined, because one side is constant. Of sums,
// the numbers should be around 0, or digits are lost. Throws Error unless both are as long.
double pearson(const PairSums& sums);
double pearson(std::span<const double> x, std::span<const double> y);

// Pearson's correlation of the ranks.
double spearman(std::span<const double> x, std::span<const double> y);

// 1 for the smallest; equal values share the mean of their ranks.
std::vector<double> ranks_of(std::span<const double> values);
// Minus their mean.
std::vector<double> centred(std::span<const double> values);

}  // namespace minibert

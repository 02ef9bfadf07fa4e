// Scores predicted labels and predicted numbers against the true ones.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace minibert {

// The number of examples of each true label with each predicted label; may be fractional.
struct Confusion {
  std::vector<std::string> labels;  // in either column, sorted
  std::vector<double> counts;       // [true label][predicted label]
  // Returns the index of the count for two labels that occur.
  size_t cell(const std::string& gold, const std::string& prediction) const;
};

// Throws Error if the lengths differ.
Confusion confusion_of(const std::vector<std::string>& gold,
                       const std::vector<std::string>& prediction);

// Returns the share of examples with the right label, 0 to 1; 0 without examples.
double accuracy(const Confusion& confusion);

// Returns the mean of 2 tp / (true + predicted), 0 to 1, over the labels with true or predicted
// examples except `left_out` (scikit-learn's f1_score(average="macro")); 0 if there is none.
double macro_f1(const Confusion& confusion, std::string_view left_out = {});

// Returns the correlation of true and predicted labels, -1 to 1; 0 if all true or all predicted
// labels are equal. For two labels this is Matthews' coefficient, for more R_K of Gorodkin,
// Comparing two K-category assignments by a K-category correlation coefficient (Computational
// Biology and Chemistry 28, 2004).
double matthews(const Confusion& confusion);

// Sums over pairs of numbers, each pair counted `times` times.
struct PairSums {
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  void add(double x_value, double y_value, double times = 1);
};

// Returns Pearson's correlation, -1 to 1; 0 if one side is constant. For sums, the numbers should
// be centred around 0, or digits are lost. Throws Error if the lengths differ.
double pearson(const PairSums& sums);
double pearson(std::span<const double> x, std::span<const double> y);

// Returns Pearson's correlation of the ranks.
double spearman(std::span<const double> x, std::span<const double> y);

// Returns ranks from 1 for the smallest value; equal values share the mean of their ranks.
std::vector<double> ranks_of(std::span<const double> values);
// Returns the values minus their mean.
std::vector<double> centred(std::span<const double> values);

}  // namespace minibert

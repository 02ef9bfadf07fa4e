// What is told of a list of numbers: moments, quartiles and a histogram, as NumPy computes them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace minibert {

// {count, min, max, mean, deviation, percentile_25, percentile_50, percentile_75, iqr, box_max,
// upper_whisker, histogram: {first, width, counts}}; null without values.
// * deviation is the population's (numpy.std), percentiles interpolate linearly (numpy.percentile).
// * box_max is percentile_75 + 1.5 iqr; upper_whisker the largest value not beyond it, where a box
//   plot's whisker ends.
// * the histogram has `bins` bins of equal width from min to max, each with its left edge, the last
//   with its right one too (numpy.histogram); one of width 0 when all values are equal.
// Requires bins > 0 and finite values.
nlohmann::json distribution(std::vector<double> values, int bins);

}  // namespace minibert

// Building blocks of statistics: distributions of numbers, and frequent words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace minibert {

// Returns moments, quartiles and a histogram of a list of numbers, as NumPy computes them:
// {count, min, max, mean, deviation, percentile_25, percentile_50, percentile_75, iqr, box_max,
// upper_whisker, histogram: {first, width, counts}}; null without values.
// * deviation is the population's (numpy.std), percentiles interpolate linearly (numpy.percentile).
// * box_max is percentile_75 + 1.5 iqr; upper_whisker is the largest value up to it, where a box
//   plot's whisker ends.
// * the histogram has `bins` bins of equal width from min to max, each with its left edge, the last
//   with its right edge, too (numpy.histogram); one bin of width 0 if all values are equal. Whole
//   numbers have edges at halves and as many in each bin: one, if `bins` are enough.
// Requires bins > 0 and finite values.
nlohmann::json distribution(std::vector<double> values, int bins);

// The heading and the key of each number of a distribution that tables show.
inline constexpr std::pair<const char*, const char*> kDistributionColumns[] = {
    {"count", "count"},
    {"mean", "mean"},
    {"sd", "deviation"},
    {"min", "min"},
    {"25 %", "percentile_25"},
    {"50 %", "percentile_50"},
    {"75 %", "percentile_75"},
    {"max", "max"},
    {"IQR", "iqr"},
    {"whisker", "upper_whisker"}};

// Counts the most frequent words of texts, for a word cloud.
//
// Words are cut at white space, lose ASCII and CJK punctuation at their ends and have at least two
// code points; Korean particles stay, as in the course's clouds.
class WordCounts {
 public:
  void add(std::string_view text);
  // Returns [[word, count], …]: the `limit` most frequent, most frequent first, ties in byte order.
  nlohmann::json top(size_t limit) const;

 private:
  std::unordered_map<std::string, size_t> counts_;
};

}  // namespace minibert

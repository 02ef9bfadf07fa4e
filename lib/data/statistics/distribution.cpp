#include "data/statistics/distribution.h"

#include <algorithm>
#include <cmath>

namespace minibert {
namespace {

double percentile(const std::vector<double>& sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(rank);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

nlohmann::json histogram(const std::vector<double>& sorted, int bins) {
  const double first = sorted.front(), last = sorted.back();
  if (first == last) return {{"first", first}, {"width", 0.0}, {"counts", {sorted.size()}}};
  std::vector<size_t> counts(static_cast<size_t>(bins));
  const double span = last - first, step = span / bins;
  const auto edge = [&](size_t bin) { return first + step * static_cast<double>(bin); };
  for (const double value : sorted) {
    auto bin = std::min(static_cast<size_t>((value - first) / span * bins), counts.size() - 1);
    // Rounding may put a value that lies on an edge beside it.
    if (bin > 0 && value < edge(bin)) --bin;
    if (bin + 1 < counts.size() && value >= edge(bin + 1)) ++bin;
    ++counts[bin];
  }
  return {{"first", first}, {"width", step}, {"counts", counts}};
}

}  // namespace

nlohmann::json distribution(std::vector<double> values, int bins) {
  if (values.empty()) return nullptr;
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double low = percentile(values, 0.25), high = percentile(values, 0.75);
  const double box_max = high + 1.5 * (high - low);
  return {{"count", values.size()},
          {"min", values.front()},
          {"max", values.back()},
          {"mean", mean},
          {"deviation", std::sqrt(squares / count)},
          {"percentile_25", low},
          {"percentile_50", percentile(values, 0.5)},
          {"percentile_75", high},
          {"iqr", high - low},
          {"box_max", box_max},
          {"upper_whisker", *std::prev(std::upper_bound(values.begin(), values.end(), box_max))},
          {"histogram", histogram(values, bins)}};
}

}  // namespace minibert

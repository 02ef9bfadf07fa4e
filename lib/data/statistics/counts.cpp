#include "data/statistics/counts.h"

#include <algorithm>
#include <cmath>

#include "core/characters.h"
#include "core/utf8.h"

namespace minibert {
namespace {

double percentile(const std::vector<double>& sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(rank);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

nlohmann::json histogram(const std::vector<double>& sorted, int bins) {
  double first = sorted.front();
  const double last = sorted.back();
  if (first == last) return {{"first", first}, {"width", 0.0}, {"counts", {sorted.size()}}};
  double span = last - first;
  if (std::ranges::all_of(sorted, [](double value) { return value == std::floor(value); })) {
    const double width = std::ceil((span + 1) / bins);
    bins = static_cast<int>(std::ceil((span + 1) / width));
    first -= 0.5, span = width * bins;
  }
  std::vector<size_t> counts(static_cast<size_t>(bins));
  const double step = span / bins;
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

bool is_punctuation(char32_t c) {
  return (c >= 0x21 && c <= 0x2f) || (c >= 0x3a && c <= 0x40) || (c >= 0x5b && c <= 0x60) ||
         (c >= 0x7b && c <= 0x7e) || (c >= 0x2010 && c <= 0x2027) || c == 0xb7 ||
         (c >= 0x3001 && c <= 0x3011) || (c >= 0xff01 && c <= 0xff0f);
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

void WordCounts::add(std::string_view text) {
  const std::u32string points = to_code_points(text);
  for (size_t i = 0; i < points.size();) {
    while (i < points.size() && is_python_space(points[i])) ++i;
    size_t begin = i;
    while (i < points.size() && !is_python_space(points[i])) ++i;
    size_t end = i;
    while (begin < end && is_punctuation(points[begin])) ++begin;
    while (begin < end && is_punctuation(points[end - 1])) --end;
    if (end - begin >= 2)
      ++counts_[to_utf8(std::u32string_view(points).substr(begin, end - begin))];
  }
}

nlohmann::json WordCounts::top(size_t limit) const {
  std::vector<std::pair<std::string, size_t>> words(counts_.begin(), counts_.end());
  const auto before = [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  };
  const size_t kept = std::min(limit, words.size());
  std::partial_sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(kept), words.end(),
                    before);
  words.resize(kept);
  nlohmann::json out = nlohmann::json::array();
  for (const auto& [word, count] : words) out.push_back({word, count});
  return out;
}

}  // namespace minibert

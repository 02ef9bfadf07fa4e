#include "data/statistics/word_counts.h"

#include <algorithm>
#include <vector>

#include "core/characters.h"
#include "core/utf8.h"

namespace minibert {
namespace {

bool is_punctuation(char32_t c) {
  return (c >= 0x21 && c <= 0x2f) || (c >= 0x3a && c <= 0x40) || (c >= 0x5b && c <= 0x60) ||
         (c >= 0x7b && c <= 0x7e) || (c >= 0x2010 && c <= 0x2027) || c == 0xb7 ||
         (c >= 0x3001 && c <= 0x3011) || (c >= 0xff01 && c <= 0xff0f);
}

}  // namespace

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

#include "rules/context_words.h"

#include <algorithm>

#include "core/characters.h"

namespace minibert {

WordRanges split_words(std::u32string_view text) {
  WordRanges words;
  bool after_space = true;
  for (uint32_t i = 0; i < text.size(); ++i) {
    const bool space = is_course_space(text[i]);
    if (!space && after_space) words.emplace_back(i, i);
    if (!space) words.back().second = i + 1;
    after_space = space;
  }
  return words;
}

ptrdiff_t word_at(const WordRanges& words, uint32_t at) {
  const auto behind =
      std::upper_bound(words.begin(), words.end(), at,
                       [](uint32_t point, const auto& word) { return point < word.first; });
  return behind - words.begin() - 1;
}

}  // namespace minibert

// What a person takes for one character or one word. Positions are code point indices into a std::u32string.
#pragma once

#include <cstddef>
#include <string_view>

namespace minibert::page {

struct Range {
  size_t begin = 0;
  size_t end = 0;
  bool empty() const { return begin == end; }
  size_t size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

enum class CharClass { space, word, punctuation };

CharClass char_class(char32_t c);
// Nothing but spaces, or nothing at all.
bool is_blank(std::u32string_view text);

// The nearest ends of characters after and before `position`. Conjoining jamo (U+1100…), combining
// marks, variation selectors, emoji modifiers and tags, joiner sequences and pairs of regional
// indicators stay whole: the part of Unicode's extended grapheme clusters (UAX #29) that Korean text
// meets.
size_t next_boundary(std::u32string_view text, size_t position);
size_t previous_boundary(std::u32string_view text, size_t position);

// The end of what is drawn as one glyph from `position` on: a character, or words of a script whose letters are shaped
// and ordered together.
size_t glyph_end(std::u32string_view text, size_t position);

// How many syllables at the end of a Korean word are a particle that follows a noun (학교|에서,
// 책|을), as far as a list can know: one that asks for a final consonant before it, or for none,
// must find it so.
size_t particle_length(std::u32string_view word);

// The run of one class around `position`; at the edge between a word and something else, the word.
Range word_at(std::u32string_view text, size_t position);

// Places of a text as code points and as UTF-16 units, which JavaScript counts. Places that rise are found in one pass
// over the text, however many they are.
class UnitPlaces {
 public:
  explicit UnitPlaces(std::u32string_view text) : text_(text) {}
  size_t point_at(uint32_t units);
  uint32_t units_at(size_t point);
  Range range(uint32_t begin, uint32_t end);

 private:
  std::u32string_view text_;
  size_t point_ = 0;   // the last place that was found
  uint32_t unit_ = 0;  // and its units
};

}  // namespace minibert::page

// Finds the borders of characters and words as people see them. Positions are code point indices
// into a std::u32string.
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
// True for an empty text and for spaces only.
bool is_blank(std::u32string_view text);

// Return the nearest ends of characters after and before `position`. Conjoining jamo (U+1100…),
// combining marks, variation selectors, emoji modifiers and tags, joiner sequences and pairs of
// regional indicators stay whole: the part of Unicode's extended grapheme clusters (UAX #29) that
// occurs in Korean text.
size_t next_boundary(std::u32string_view text, size_t position);
size_t previous_boundary(std::u32string_view text, size_t position);

// Returns the end of the glyph at `position`: a character, or words of a script whose letters are
// shaped and ordered together.
size_t glyph_end(std::u32string_view text, size_t position);

// Returns how many syllables at the end of a Korean word are a particle behind a noun (학교|에서, 책|을),
// as far as a list can tell; a particle must fit the final consonant before it, or its lack.
size_t particle_length(std::u32string_view word);

// Returns the run of one class around `position`; at the edge of a word, the word.
Range word_at(std::u32string_view text, size_t position);

// Converts places of a text between code points and UTF-16 units, which JavaScript counts. Rising
// places take one pass over the text in all.
class UnitPlaces {
 public:
  explicit UnitPlaces(std::u32string_view text) : text_(text) {}
  size_t point_at(uint32_t units);
  uint32_t units_at(size_t point);
  Range range(uint32_t begin, uint32_t end);

 private:
  std::u32string_view text_;
  size_t point_ = 0;   // the last place found
  uint32_t unit_ = 0;  // in units
};

}  // namespace minibert::page

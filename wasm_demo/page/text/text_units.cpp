// Caret boundaries and words.
#include "text/text_units.h"

#include <algorithm>

namespace minibert::page {
namespace {

bool in(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

bool is_extending(char32_t c) {
  return in(c, 0x0300, 0x036F) || in(c, 0x1AB0, 0x1AFF) || in(c, 0x1DC0, 0x1DFF) ||
         in(c, 0x20D0, 0x20FF) || in(c, 0x302A, 0x302F) || in(c, 0xFE00, 0xFE0F) ||
         in(c, 0xFE20, 0xFE2F) || in(c, 0x1F3FB, 0x1F3FF) || in(c, 0xE0020, 0xE007F) ||
         in(c, 0xE0100, 0xE01EF) || c == 0x200D;
}

bool is_lead(char32_t c) { return in(c, 0x1100, 0x115F) || in(c, 0xA960, 0xA97C); }
bool is_vowel(char32_t c) { return in(c, 0x1160, 0x11A7) || in(c, 0xD7B0, 0xD7C6); }
bool is_tail(char32_t c) { return in(c, 0x11A8, 0x11FF) || in(c, 0xD7CB, 0xD7FB); }
bool is_syllable(char32_t c) { return in(c, 0xAC00, 0xD7A3); }
bool has_tail(char32_t c) { return is_syllable(c) && (c - 0xAC00) % 28 != 0; }
bool is_regional(char32_t c) { return in(c, 0x1F1E6, 0x1F1FF); }

// Hangul rules GB6 to GB8 of UAX #29.
bool joins_hangul(char32_t before, char32_t after) {
  if (is_lead(before)) return is_lead(after) || is_vowel(after) || is_syllable(after);
  if (is_vowel(before) || (is_syllable(before) && !has_tail(before)))
    return is_vowel(after) || is_tail(after);
  if (is_tail(before) || has_tail(before)) return is_tail(after);
  return false;
}

bool breaks_at(std::u32string_view text, size_t position) {
  if (position == 0 || position >= text.size()) return true;
  const char32_t before = text[position - 1];
  const char32_t after = text[position];
  if (is_extending(after) || before == 0x200D) return false;
  if (is_regional(before) && is_regional(after)) {
    size_t run = 0;
    while (run < position && is_regional(text[position - 1 - run])) ++run;
    return run % 2 == 0;
  }
  return !joins_hangul(before, after);
}

// Hebrew and Arabic, and scripts from Devanagari to Burmese and Khmer, whose letters are shaped and ordered together.
bool is_shaped(char32_t c) {
  return in(c, 0x0590, 0x109F) || in(c, 0x1780, 0x17FF) || in(c, 0xFB1D, 0xFDFF) ||
         in(c, 0xFE70, 0xFEFC) || in(c, 0x10800, 0x11FFF) || in(c, 0x1E800, 0x1EFFF);
}
constexpr size_t kMostShaped = 40;  // characters of one glyph

}  // namespace

CharClass char_class(char32_t c) {
  if (c <= 0x20 || c == 0xA0 || c == 0x3000 || in(c, 0x2000, 0x200A) || in(c, 0x2028, 0x2029))
    return CharClass::space;
  if (c < 0x80) {
    const bool alphanumeric = in(c, '0', '9') || in(c, 'a', 'z') || in(c, 'A', 'Z') || c == '_';
    return alphanumeric ? CharClass::word : CharClass::punctuation;
  }
  if (in(c, 0x80, 0xBF) || c == 0xD7 || c == 0xF7 || in(c, 0x2010, 0x206F) ||
      in(c, 0x3001, 0x3030) || in(c, 0xFF01, 0xFF0F) || in(c, 0xFF1A, 0xFF20) ||
      in(c, 0xFF3B, 0xFF40) || in(c, 0xFF5B, 0xFF65))
    return CharClass::punctuation;
  return CharClass::word;
}

bool is_blank(std::u32string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char32_t c) { return char_class(c) == CharClass::space; });
}

size_t next_boundary(std::u32string_view text, size_t position) {
  if (position >= text.size()) return text.size();
  do ++position;
  while (!breaks_at(text, position));
  return position;
}

size_t glyph_end(std::u32string_view text, size_t position) {
  size_t end = next_boundary(text, position);
  if (position >= text.size() || !is_shaped(text[position])) return end;
  // Characters between two such words join the glyph, so that the browser orders it all.
  for (size_t at = end; at < text.size() && at - position < kMostShaped;
       at = next_boundary(text, at))
    if (is_shaped(text[at]))
      end = next_boundary(text, at);
    else if (char_class(text[at]) == CharClass::word)
      break;
  return end;
}

size_t previous_boundary(std::u32string_view text, size_t position) {
  if (position == 0) return 0;
  if (position > text.size()) return text.size();
  do --position;
  while (!breaks_at(text, position));
  return position;
}

size_t particle_length(std::u32string_view word) {
  enum Needs { kAny, kConsonant, kVowel, kVowelOrRieul };
  struct Particle {
    std::u32string_view text;
    Needs before;
  };
  // The longest first.
  static constexpr Particle kParticles[] = {
      {U"에서는", kAny},       {U"에게서", kAny},     {U"으로부터", kConsonant},
      {U"이라고", kConsonant}, {U"에서", kAny},       {U"에게", kAny},
      {U"까지", kAny},         {U"부터", kAny},       {U"처럼", kAny},
      {U"보다", kAny},         {U"마다", kAny},       {U"에는", kAny},
      {U"으로", kConsonant},   {U"이다", kConsonant}, {U"이나", kConsonant},
      {U"은", kConsonant},     {U"이", kConsonant},   {U"을", kConsonant},
      {U"과", kConsonant},     {U"는", kVowel},       {U"가", kVowel},
      {U"를", kVowel},         {U"와", kVowel},       {U"로", kVowelOrRieul},
      {U"에", kAny},           {U"의", kAny},         {U"도", kAny},
      {U"만", kAny},
  };
  for (const Particle& particle : kParticles) {
    if (word.size() <= particle.text.size() || !word.ends_with(particle.text)) continue;
    const char32_t before = word[word.size() - particle.text.size() - 1];
    if (!is_syllable(before)) continue;
    constexpr char32_t kRieul = 8;  // among the 28 finals
    const char32_t final = (before - 0xAC00) % 28;
    const bool fits = particle.before == kAny || (particle.before == kConsonant && final != 0) ||
                      (particle.before != kConsonant && final == 0) ||
                      (particle.before == kVowelOrRieul && final == kRieul);
    if (fits) return particle.text.size();
  }
  return 0;
}

Range word_at(std::u32string_view text, size_t position) {
  if (text.empty()) return {};
  if (position > text.size()) position = text.size();
  // A caret stands between two characters: prefer the word, on whichever side it is.
  size_t pivot = position < text.size() ? position : position - 1;
  if (char_class(text[pivot]) != CharClass::word && position > 0 &&
      char_class(text[position - 1]) == CharClass::word)
    pivot = position - 1;
  const CharClass wanted = char_class(text[pivot]);
  Range range{pivot, pivot + 1};
  while (range.begin > 0 && char_class(text[range.begin - 1]) == wanted) --range.begin;
  while (range.end < text.size() && char_class(text[range.end]) == wanted) ++range.end;
  return range;
}

size_t UnitPlaces::point_at(uint32_t units) {
  if (units < unit_) point_ = unit_ = 0;
  for (; unit_ < units && point_ < text_.size(); ++point_) unit_ += text_[point_] > 0xFFFF ? 2 : 1;
  return point_;
}

uint32_t UnitPlaces::units_at(size_t point) {
  if (point < point_) point_ = unit_ = 0;
  for (; point_ < point && point_ < text_.size(); ++point_) unit_ += text_[point_] > 0xFFFF ? 2 : 1;
  return unit_;
}

Range UnitPlaces::range(uint32_t begin, uint32_t end) {
  const size_t first = point_at(begin);
  return {first, point_at(end)};
}

}  // namespace minibert::page

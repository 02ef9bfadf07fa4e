// Reads Korean syllables from texts that may be decomposed (NFD), as on macOS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// Writes the first character of a non-empty text to `out` and returns its length in code points:
// more than 1 if jamo compose a syllable (Unicode 15, 3.12).
inline size_t read_syllable(std::u32string_view text, char32_t* out) {
  constexpr char32_t kSyllable = 0xac00, kLead = 0x1100, kVowel = 0x1161,
                     kTail = 0x11a8;                           // the first of each kind
  constexpr uint32_t kLeads = 19, kVowels = 21, kFinals = 28;  // one of the finals is none
  const auto jamo = [&](size_t at, char32_t first) {
    return at < text.size() ? static_cast<uint32_t>(text[at] - first) : UINT32_MAX;
  };
  const uint32_t lead = jamo(0, kLead), vowel = jamo(1, kVowel);
  const bool begins = lead < kLeads && vowel < kVowels;
  *out = begins ? kSyllable + (lead * kVowels + vowel) * kFinals : text[0];
  const size_t length = begins ? 2 : 1;
  const uint32_t tail = jamo(length, kTail), syllable = static_cast<uint32_t>(*out - kSyllable);
  const bool is_open = syllable < kLeads * kVowels * kFinals && syllable % kFinals == 0;
  if (tail >= kFinals - 1 || !is_open) return length;
  *out += tail + 1;
  return length + 1;
}

// Returns the text's characters as read_syllable() gives them. `points` receives the offset of each
// in code points of the text, then the end.
inline std::u32string to_syllables(std::u32string_view text,
                                   std::vector<uint32_t>* points = nullptr) {
  std::u32string out;
  char32_t c = 0;
  for (size_t at = 0;;) {
    if (points != nullptr) points->push_back(static_cast<uint32_t>(at));
    if (at == text.size()) return out;
    at += read_syllable(text.substr(at), &c);
    out.push_back(c);
  }
}

}  // namespace minibert

// Decomposed texts (NFD), as in files from a Mac.
#pragma once

#include <string>
#include <string_view>

#include "core/utf8.h"

namespace minibert::test {

// Returns the text with every Hangul syllable as its jamo.
inline std::string decomposed(std::string_view text) {
  constexpr char32_t kFirst = 0xac00, kLast = 0xd7a3, kVowels = 21, kTails = 28;
  std::u32string out;
  for (const char32_t c : to_code_points(text)) {
    const char32_t syllable = c - kFirst;
    if (c < kFirst || c > kLast) {
      out.push_back(c);
      continue;
    }
    out.push_back(0x1100 + syllable / kTails / kVowels);
    out.push_back(0x1161 + syllable / kTails % kVowels);
    if (syllable % kTails != 0) out.push_back(0x11a7 + syllable % kTails);
  }
  return to_utf8(out);
}

}  // namespace minibert::test

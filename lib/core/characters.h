// Decodes UTF-8 and classifies characters. Uses no Unicode tables and no exceptions, because the
// engine reads texts with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// --- Strict UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF) ---

// Decodes the code point at text[i]. Returns its length in bytes, or 0 if it is invalid.
inline size_t decode_utf8(std::string_view text, size_t i, char32_t* out) {
  const auto byte = [&](size_t k) { return static_cast<uint8_t>(text[i + k]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return *out = lead, 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead > 0xf4 || i + length > text.size()) return 0;
  char32_t value = lead & (0xff >> (length + 1));
  for (size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
    value = value << 6 | (byte(k) & 0x3f);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < smallest[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
    return 0;
  *out = value;
  return length;
}

struct Characters {
  std::u32string text;
  std::vector<uint32_t> bytes;  // offset of each character in UTF-8, then the end
};

// Decodes `text`. Returns false if it is not UTF-8; `characters` then ends before the error.
inline bool to_characters(std::string_view text, Characters* characters) {
  *characters = {};
  size_t at = 0;
  char32_t value = 0;
  for (size_t length = 0; at < text.size(); at += length) {
    length = decode_utf8(text, at, &value);
    if (length == 0) return false;
    characters->text.push_back(value);
    characters->bytes.push_back(static_cast<uint32_t>(at));
  }
  characters->bytes.push_back(static_cast<uint32_t>(at));
  return true;
}

inline bool is_utf8(std::string_view text) {
  char32_t value = 0;
  for (size_t at = 0, length = 0; at < text.size(); at += length)
    if ((length = decode_utf8(text, at, &value)) == 0) return false;
  return true;
}

// --- Letters and digits ---

constexpr bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }  // ASCII

// Letters and digits of any script: everything but spaces, punctuation and symbols.
constexpr bool is_letter_or_digit(char32_t c) {
  const bool ascii = is_digit(c) || (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
  const bool symbol = (c >= 0x2000 && c <= 0x2bff) || (c >= 0x3000 && c <= 0x303f) ||
                      (c >= 0xfe00 && c <= 0xfe4f) || (c >= 0xff00 && c <= 0xff0f);
  return ascii || (c >= 0xc0 && !symbol);
}

// --- White space: each rule matches another program, and the rules differ ---

// Matches Python's str.isspace(), as in str.split() and str.strip(); excludes U+200B and U+FEFF.
constexpr bool is_python_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}

// Matches _is_whitespace of the course and the official KorQuAD programs; without U+00A0, U+3000.
constexpr bool is_course_space(char32_t c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0x202f;
}

// Matches SentencePiece's spaces (nmt_nfkc normalization); includes U+200B.
constexpr bool is_sentencepiece_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0d) || c == ' ' || c == 0xa0 || (c >= 0x2000 && c <= 0x200b) ||
         c == 0x202f || c == 0x3000;
}

// Matches POSIX's [:blank:]: a space or a tab.
constexpr bool is_blank(char32_t c) { return c == ' ' || c == '\t'; }

}  // namespace minibert

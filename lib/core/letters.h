// Which characters are letters or digits, without a table of Unicode.
#pragma once

namespace minibert {

constexpr bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }  // ASCII

// Letters and digits of any script: what is left of a text without spaces, punctuation and symbols.
constexpr bool is_letter_or_digit(char32_t c) {
  const bool ascii = is_digit(c) || (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
  const bool symbol = (c >= 0x2000 && c <= 0x2bff) || (c >= 0x3000 && c <= 0x303f) ||
                      (c >= 0xfe00 && c <= 0xfe4f) || (c >= 0xff00 && c <= 0xff0f);
  return ascii || (c >= 0xc0 && !symbol);
}

}  // namespace minibert

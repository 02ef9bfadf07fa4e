// One code point of UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF), also for code
// that is built without exceptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace minibert {

// Decodes the code point at text[i]; returns its length in bytes, 0 if it is not valid.
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

}  // namespace minibert

// Whether bytes are UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace minibert::infer {

inline bool is_utf8(std::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    const auto byte = [&](size_t at) { return static_cast<uint8_t>(text[at]); };
    const uint8_t first = byte(i);
    const size_t size = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
    if (size == 0 || i + size > text.size()) return false;
    uint32_t code = size == 1 ? first : first & (0x7fu >> size);
    for (size_t k = 1; k < size; ++k) {
      if ((byte(i + k) & 0xc0) != 0x80) return false;
      code = code << 6 | (byte(i + k) & 0x3f);
    }
    if ((size == 3 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) ||
        (size == 4 && (code < 0x10000 || code > 0x10ffff)))
      return false;
    i += size;
  }
  return true;
}

}  // namespace minibert::infer

// Texts as code points, for code that is built without exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/utf8_decode.h"

namespace minibert {

struct Characters {
  std::u32string text;
  std::vector<uint32_t> bytes;  // where each begins in UTF-8, and the end
};

// False where the text is not UTF-8; `characters` then holds what stands before the mistake.
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

}  // namespace minibert

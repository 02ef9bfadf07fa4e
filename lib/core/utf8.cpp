#include "core/utf8.h"

#include "core/characters.h"
#include "core/error.h"

namespace minibert {

size_t first_invalid_utf8(std::string_view text) {
  char32_t value;
  for (size_t i = 0; i < text.size();) {
    const size_t length = decode_utf8(text, i, &value);
    if (length == 0) return i;
    i += length;
  }
  return kValid;
}

std::string clipped(const std::string& text, size_t limit) {
  if (text.size() <= limit) return text;
  // Continuation bytes are 10xxxxxx.
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0U) == 0x80U) --limit;
  return text.substr(0, limit);
}

std::u32string to_code_points(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  char32_t value;
  for (size_t i = 0; i < text.size();) {
    const size_t length = decode_utf8(text, i, &value);
    if (length == 0) throw Error("not valid UTF-8 at byte " + std::to_string(i));
    out.push_back(value);
    i += length;
  }
  return out;
}

std::string to_utf8(std::u32string_view text) {
  std::string out;
  out.reserve(text.size() * 3);
  for (char32_t c : text) {
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += static_cast<char>(0xc0 | c >> 6);
      out += static_cast<char>(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
      out += static_cast<char>(0xe0 | c >> 12);
      out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
      out += static_cast<char>(0x80 | (c & 0x3f));
    } else {
      out += static_cast<char>(0xf0 | c >> 18);
      out += static_cast<char>(0x80 | (c >> 12 & 0x3f));
      out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
      out += static_cast<char>(0x80 | (c & 0x3f));
    }
  }
  return out;
}

std::vector<uint32_t> code_point_offsets(std::string_view text) {
  std::vector<uint32_t> offsets;
  offsets.reserve(text.size() / 2 + 1);
  for (size_t i = 0; i < text.size(); ++i)
    if ((static_cast<uint8_t>(text[i]) & 0xc0) != 0x80) offsets.push_back(static_cast<uint32_t>(i));
  offsets.push_back(static_cast<uint32_t>(text.size()));
  return offsets;
}

}  // namespace minibert

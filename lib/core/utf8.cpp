#include "core/utf8.h"

#include "core/error.h"

namespace minibert {
namespace {

// Decodes the code point at text[i]; returns its length in bytes, 0 if it is not valid.
size_t decode(std::string_view text, size_t i, char32_t* out) {
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

}  // namespace

size_t first_invalid_utf8(std::string_view text) {
  char32_t value;
  for (size_t i = 0; i < text.size();) {
    const size_t length = decode(text, i, &value);
    if (length == 0) return i;
    i += length;
  }
  return kValid;
}

std::u32string to_code_points(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  char32_t value;
  for (size_t i = 0; i < text.size();) {
    const size_t length = decode(text, i, &value);
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

#include "core/excerpt.h"

#include <array>
#include <cstdio>

#include "core/characters.h"

namespace minibert {

std::string excerpt(std::string_view text, size_t limit) {
  std::string out;
  char32_t value = 0;
  for (size_t i = 0; i < text.size();) {
    if (i >= limit) return out + "…";
    const size_t length = decode_utf8(text, i, &value);
    if (length > 0) {
      out.append(text.substr(i, length));
    } else {
      std::array<char, 8> escaped{};
      std::snprintf(escaped.data(), escaped.size(), "\\x%02x", static_cast<uint8_t>(text[i]));
      out += escaped.data();
    }
    i += length > 0 ? length : 1;
  }
  return out;
}

}  // namespace minibert

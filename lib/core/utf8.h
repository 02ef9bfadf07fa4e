// Strict UTF-8 by code point (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

inline constexpr size_t kValid = static_cast<size_t>(-1);

// Returns the offset of the first byte that is not valid UTF-8, or kValid.
size_t first_invalid_utf8(std::string_view text);

// Cuts a text to at most `limit` bytes, never inside a character.
std::string clipped(const std::string& text, size_t limit);

// Decodes UTF-8. Throws Error naming the offset of an invalid byte.
std::u32string to_code_points(std::string_view text);
std::string to_utf8(std::u32string_view text);

// Returns the byte offset of each code point, then text.size().
std::vector<uint32_t> code_point_offsets(std::string_view text);

}  // namespace minibert

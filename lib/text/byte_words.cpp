#include "text/byte_words.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/utf8.h"
#include "text/python_text.h"

namespace minibert {
namespace {

enum class Kind : uint8_t { space, letter, number, other };

bool is_visible(int byte) {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

// The letter of every byte.
std::array<char32_t, 256> make_letters() {
  std::array<char32_t, 256> letters;
  char32_t next = 256;
  for (int byte = 0; byte < 256; ++byte)
    letters[static_cast<size_t>(byte)] = is_visible(byte) ? static_cast<char32_t>(byte) : next++;
  return letters;
}
const std::array<char32_t, 256> kLetters = make_letters();

Kind kind_by_category(char32_t c) {
  // str.isspace() takes the four ASCII separators U+001C … U+001F too, White_Space does not.
  if (is_python_space(c)) return c >= 0x1c && c <= 0x1f ? Kind::other : Kind::space;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      return Kind::letter;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return Kind::number;
    default:
      return Kind::other;
  }
}

std::array<Kind, 128> make_ascii() {
  std::array<Kind, 128> kinds;
  for (size_t c = 0; c < kinds.size(); ++c) kinds[c] = kind_by_category(static_cast<char32_t>(c));
  return kinds;
}
const std::array<Kind, 128> kAscii = make_ascii();

// A character of valid UTF-8.
struct Character {
  Kind kind;
  size_t size;  // bytes
};

Character character_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t k) { return static_cast<uint8_t>(text[at + k]); };
  const auto low = [&](size_t k) { return char32_t{byte(k)} & 0x3f; };
  if (byte(0) < 0x80) return {kAscii[byte(0)], 1};
  if (byte(0) < 0xe0) return {kind_by_category((byte(0) & 0x1fu) << 6 | low(1)), 2};
  if (byte(0) < 0xf0) {
    const char32_t c = (byte(0) & 0x0fu) << 12 | low(1) << 6 | low(2);
    return {c >= 0xac00 && c <= 0xd7a3 ? Kind::letter : kind_by_category(c), 3};
  }
  return {kind_by_category((byte(0) & 0x07u) << 18 | low(1) << 12 | low(2) << 6 | low(3)), 4};
}

// The bytes of 's, 't, 're, 've, 'm, 'll or 'd at `at`, else 0.
size_t contraction(std::string_view text, size_t at) {
  for (const std::string_view one : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
    if (text.substr(at).starts_with(one)) return one.size();
  return 0;
}

// The end of the white space at `at`: before its last character where a word follows, unless that is
// its only one.
size_t end_of_space(std::string_view text, size_t at) {
  size_t end = at, last = at;
  while (end < text.size()) {
    const Character c = character_at(text, end);
    if (c.kind != Kind::space) return last > at ? last : end;
    last = end;
    end += c.size;
  }
  return end;
}

size_t end_of_word(std::string_view text, size_t at) {
  if (text[at] == '\'')
    if (const size_t size = contraction(text, at); size > 0) return at + size;
  const size_t first = at + (text[at] == ' ' ? 1 : 0);
  if (first == text.size()) return first;
  const Character begin = character_at(text, first);
  if (begin.kind == Kind::space) return end_of_space(text, at);
  size_t end = first + begin.size;
  while (end < text.size()) {
    const Character c = character_at(text, end);
    if (c.kind != begin.kind) break;
    end += c.size;
  }
  return end;
}

}  // namespace

const std::vector<uint8_t>& byte_symbols() {
  static const std::vector<uint8_t> symbols = [] {
    std::vector<uint8_t> out;
    for (const bool visible : {true, false})
      for (int byte = 0; byte < 256; ++byte)
        if (is_visible(byte) == visible) out.push_back(static_cast<uint8_t>(byte));
    return out;
  }();
  return symbols;
}

std::string byte_letters(std::string_view bytes) {
  std::u32string out;
  for (const char byte : bytes) out += kLetters[static_cast<uint8_t>(byte)];
  return to_utf8(out);
}

std::string bytes_of_letters(std::string_view letters) {
  std::string out;
  for (const char32_t c : to_code_points(letters)) {
    const auto found = std::find(kLetters.begin(), kLetters.end(), c);
    if (found == kLetters.end())
      throw Error("found " + to_utf8({&c, 1}) + ", expected letters that stand for bytes");
    out += static_cast<char>(found - kLetters.begin());
  }
  return out;
}

void append_byte_words(std::string_view text, std::vector<std::string_view>* words) {
  if (const size_t bad = first_invalid_utf8(text); bad != kValid)
    throw Error("not valid UTF-8 at byte " + std::to_string(bad));
  for (size_t at = 0; at < text.size();) {
    const size_t end = end_of_word(text, at);
    words->push_back(text.substr(at, end - at));
    at = end;
  }
}

}  // namespace minibert

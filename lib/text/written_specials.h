// Finds special pieces written in a text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

struct WrittenSpecial {
  std::string text;
  int32_t id;
};

// A special piece, or the text between two.
struct TextPart {
  std::string_view text;
  uint32_t begin;   // byte in the whole text
  int32_t special;  // its id, or -1
};

// Cuts a text into its non-empty parts. Of two special pieces at one place the longer counts.
inline std::vector<TextPart> parts_of(std::string_view text,
                                      std::span<const WrittenSpecial> specials) {
  std::vector<TextPart> out;
  const auto add = [&](size_t begin, size_t end, int32_t special) {
    if (begin < end)
      out.push_back({text.substr(begin, end - begin), static_cast<uint32_t>(begin), special});
  };
  std::string first;  // the first bytes of all special pieces
  for (const WrittenSpecial& one : specials)
    if (first.find(one.text[0]) == std::string::npos) first += one.text[0];
  size_t done = 0;
  for (size_t at = 0; (at = text.find_first_of(first, at)) != std::string_view::npos;) {
    const WrittenSpecial* found = nullptr;
    for (const WrittenSpecial& one : specials)
      if (text.substr(at).starts_with(one.text) &&
          (found == nullptr || found->text.size() < one.text.size()))
        found = &one;
    if (found == nullptr) {
      ++at;
      continue;
    }
    add(done, at, -1);
    done = at + found->text.size();
    add(at, done, found->id);
    at = done;
  }
  add(done, text.size(), -1);
  return out;
}

}  // namespace minibert

// Python's str methods, on which the course and the official KorQuAD scorer rely; str.isspace() is
// in core/characters.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/characters.h"

namespace minibert {

struct CodePoints {
  size_t begin, end;  // [begin, end) of a text
};
// Returns the places of the words of text.split().
std::vector<CodePoints> split_ranges(std::u32string_view text);

// text.strip(), a view into `text`, which is valid UTF-8.
std::string_view strip(std::string_view text);

// " ".join(text.split())
std::u32string join_split(std::u32string_view text);

// str.lower() by Unicode 14, for every script, except that a Σ at a word's end becomes σ, not ς.
std::u32string lower(std::u32string_view text);

}  // namespace minibert

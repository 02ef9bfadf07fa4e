// What Python's str methods do to text, which the course and the official KorQuAD scorer rely on;
// str.isspace() is in core/characters.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/characters.h"

namespace minibert {

struct CodePoints {
  size_t begin, end;  // [begin, end) of a text
};
// Where the words of text.split() stand.
std::vector<CodePoints> split_ranges(std::u32string_view text);

// text.strip(), a view into `text`, which is valid UTF-8.
std::string_view strip(std::string_view text);

// " ".join(text.split())
std::u32string join_split(std::u32string_view text);

// str.lower() by Unicode 14, every script. One rule is left out: a Σ at the end of a word becomes σ
// here, not ς.
std::u32string lower(std::u32string_view text);

}  // namespace minibert

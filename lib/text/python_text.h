// What Python's str methods do to text, which the course and the official KorQuAD scorer rely on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// str.isspace() of one character: what str.split() and str.strip() go by. U+200B and U+FEFF are
// none.
bool is_python_space(char32_t c);

struct CodePoints {
  size_t begin, end;  // [begin, end) of a text
};
// Where the words of text.split() stand.
std::vector<CodePoints> split_ranges(std::u32string_view text);

// str.strip() of valid UTF-8.
std::string_view strip(std::string_view text);

// " ".join(text.split())
std::u32string join_split(std::u32string_view text);

// str.lower() by Unicode 14, every script. One rule is left out: a Σ at the end of a word becomes σ
// here, not ς.
std::u32string lower(std::u32string_view text);

}  // namespace minibert

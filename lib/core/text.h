// Small helpers for words, lines and cells.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// Joins words: "a, b, c".
std::string joined(const std::vector<std::string>& words, const std::string& between = ", ");

// "1 row is empty", "12 rows are empty": a count before what is said of one and of any other number.
std::string count_of(size_t count, std::string_view one, std::string_view several);

// A to Z in small letters; all else stays.
std::string small_letters(std::string_view text);

// Cuts spaces, tabs and line ends off both ends; returns a view into `text`.
std::string_view trimmed(std::string_view text);

// std::getline that throws what stopped it: to that function alone, a line which memory or the disk failed looks like
// the end of the text.
bool next_line(std::istream& text, std::string* line);

// Makes a CSV field, quoted where RFC 4180 asks for it.
std::string csv_field(const std::string& text);

}  // namespace minibert

// Helpers for words, lines and cells.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// Joins words: "a, b, c".
std::string joined(const std::vector<std::string>& words, const std::string& between = ", ");

// Returns "1 row is empty" or "12 rows are empty": the count, then the phrase for it.
std::string count_of(size_t count, std::string_view one, std::string_view several);

// Lowers A to Z; everything else stays.
std::string small_letters(std::string_view text);

// Cuts spaces, tabs and line ends off both ends; returns a view into `text`.
std::string_view trimmed(std::string_view text);

// Works like std::getline, but throws if memory or the disk failed; std::getline reports these as
// the end of the text.
bool next_line(std::istream& text, std::string* line);

// Returns a CSV field, quoted where RFC 4180 requires it.
std::string csv_field(const std::string& text);

}  // namespace minibert

// Small things done to words, lines and cells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// "a, b, c"
std::string joined(const std::vector<std::string>& words, const std::string& between = ", ");

// Without spaces, tabs and line ends at both ends; a view into `text`.
std::string_view trimmed(std::string_view text);

// A CSV field, quoted where RFC 4180 asks for it.
std::string csv_field(const std::string& text);

}  // namespace minibert

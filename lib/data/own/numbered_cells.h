// Alternatives that stand in one cell behind their numbers, and how those of other cells are joined.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

inline constexpr size_t kMostChoices = 20;

// From "0", "1", "a", "A", "①" or "⑴" on as the first, the one for `index`: "2", "b", "②", …
std::string place_from(std::string_view first, size_t index);

// "① 서울 ② 부산" and "(1) 서울 (2) 부산" are 서울 and 부산. A cell begins with the first number, has each once and in
// order, leaves none out, and has something behind each. Empty: it is another cell.
std::vector<std::string> numbered_parts(std::string_view cell);

// How else all cells hold several parts, as many in each, for people: `numbered 1), 2), …`, `between "|"`. Cells that are
// empty are passed over. Empty: they do not.
std::string joint_of_parts(std::span<const std::string_view> cells);

}  // namespace minibert

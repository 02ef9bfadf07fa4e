// Alternatives that stand in one cell behind their numbers, and how those of other cells are joined.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

inline constexpr size_t kMostChoices = 20;

// From "0", "1", "a", "A", "가", "ㄱ" or a character such as "①" on as the first, the one for `index`: "2", "b", "나",
// "②", …; empty where letters or such characters end.
std::string place_from(std::string_view first, size_t index);

// The first of numbers that are characters of their own and no letters of Hangul: ①, ❶, ⑴, ⓐ, …
std::span<const std::string_view> counting_characters();

// A cell with numbers before its alternatives: "① 서울 ② 부산" is 서울 and 부산.
struct NumberedCut {
  std::string before;              // what stands before the first number
  std::vector<std::string> parts;  // at least two, or none
  std::string_view first;          // of the numbers: "①", "1", "가", …
  std::string problem;             // why numbers cut it into no parts: "② stands there twice"
  bool lacks = false;              // that is as nothing stands behind a number
};

// How the cells of a column hold alternatives behind numbers: ①, ❶, ㉠, ⑴, …, or 1, 가, ㄱ, A or a with brackets around
// or a bracket or dot behind. Of these a number stands at the beginning, behind white space or one of , / ; |. What
// brackets hold, as "(⑤ 없음)", is no number. A cell begins with the first number, but for a head that most cells have,
// or all words before it are the cell's own, as a question's.
struct NumberedColumn {
  size_t filled = 0;  // cells that say something
  size_t cut = 0;     // of these, the ones with parts
  size_t almost = 0;  // and those with a problem
  std::string head;   // what stands before the first number in most of them
  std::optional<size_t>
      asked;  // by which numbering cells are cut that have words of their own before it

  bool holds_parts() const { return 2 * cut > filled; }
  bool holds_numbers() const { return 2 * (cut + almost) > filled; }
};

NumberedColumn numbered_column(std::span<const std::string_view> cells);

// A cell of such a column. It has as many parts as its largest number that the smaller ones lead to, each somewhere
// behind the one before and with something between. Where numbers are mentioned in parts, so that there are several
// such ways, the only one whose numbers all begin lines is taken; else that is the problem. Behind a question the first
// number begins a line where any does. What ends all parts but the last, as a comma, is no part of them.
NumberedCut cut_of(const NumberedColumn& column, std::string_view cell);

// Takes off the numbers of texts that all begin with the one of their place; returns the first, or nothing.
std::string_view take_off_numbers(std::vector<std::string>* texts);

// How else all cells hold several parts, as many in each, for people: `between "|"`. Cells that are empty are passed
// over. Empty: they do not.
std::string joint_of_parts(std::span<const std::string_view> cells);

}  // namespace minibert

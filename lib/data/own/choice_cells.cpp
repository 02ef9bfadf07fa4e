#include "data/own/choice_cells.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/utf8.h"
#include "data/own/label_cells.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr const char* kStems[] = {"choice", "choices", "option",      "options",
                                  "ending", "endings", "alternative", "candidate",
                                  "보기",   "선택지",  "선지",        ""};
constexpr size_t kMostChoices = 20;

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != ' ' && c != '_') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

// The columns `stem` + first, `stem` + the next, … as the table writes them.
std::vector<std::string> counted(const DataTable& table, std::string_view stem, char first) {
  std::vector<std::string> out;
  for (size_t i = 0; i < kMostChoices; ++i) {
    const std::string end = first == 'a' ? std::string(1, static_cast<char>('a' + i))
                                         : std::to_string(first - '0' + int(i));
    size_t found = 0;
    while (found < table.columns.size() &&
           (plain(table.columns[found]) != std::string(stem) + end || table.is_unnamed(found)))
      ++found;
    if (found == table.columns.size()) break;
    out.push_back(table.columns[found]);
  }
  return out.size() > 1 ? out : std::vector<std::string>();
}

// Of names that are numbers or letters alone: every cell is filled, with more than yes and no, and no two in a row
// are equal, as what two people A and B judge is.
bool hold_alternatives(const DataTable& table, const std::vector<std::string>& columns) {
  std::vector<size_t> places;
  for (const std::string& name : columns) places.push_back(table.column(name));
  bool flags = true;
  for (const TableRow& row : table.rows) {
    std::vector<std::string> cells;
    for (const size_t column : places) {
      cells.push_back(row.cells[column]);
      if (strip(cells.back()).empty()) return false;
      flags = flags && flag_of(cells.back());
    }
    if (have_equal(cells)) return false;
  }
  return !flags;
}

bool holds_lists(const DataTable& table, size_t column) {
  return std::ranges::all_of(table.rows, [&](const TableRow& row) {
    const std::string_view cell = strip(row.cells[column]);
    return cell.empty() || (cell.starts_with('[') && cell.ends_with(']'));
  });
}

// "3", "③" and "3번" are 3.
std::optional<int64_t> whole(std::string_view cell) {
  constexpr std::string_view kNumber = "번", kCircled = "①";
  constexpr int64_t kMostCircled = 20;
  if (cell.size() == kCircled.size() && cell.starts_with(kCircled.substr(0, 2))) {
    const int64_t above = to_code_points(cell)[0] - to_code_points(kCircled)[0];
    if (above >= 0 && above < kMostCircled) return above + 1;
  }
  if (cell.ends_with(kNumber)) cell.remove_suffix(kNumber.size());
  int64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

// The index of "a", "B", …; nothing of anything else.
std::optional<size_t> letter(std::string_view cell) {
  if (cell.size() != 1) return std::nullopt;
  const char small = cell[0] >= 'A' && cell[0] <= 'Z' ? static_cast<char>(cell[0] + 32) : cell[0];
  if (small < 'a' || small > 'z') return std::nullopt;
  return static_cast<size_t>(small - 'a');
}

}  // namespace

bool have_equal(const std::vector<std::string>& choices) {
  for (size_t i = 0; i < choices.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (strip(choices[i]) == strip(choices[j])) return true;
  return false;
}

std::vector<std::string> choice_columns(const DataTable& table) {
  if (!table.header) return {};
  for (const std::string_view stem : kStems) {
    for (const char first : {'1', '0', 'a'})
      if (std::vector<std::string> found = counted(table, stem, first);
          !found.empty() && (!stem.empty() || hold_alternatives(table, found)))
        return found;
    if (stem.empty()) continue;
    for (size_t i = 0; i < table.columns.size(); ++i)
      if (plain(table.columns[i]) == stem && holds_lists(table, i) &&
          table.rows.front().cells[i].find(',') != std::string::npos)
        return {table.columns[i]};
  }
  return {};
}

ChoiceAnswer choice_answer_of(std::span<const std::string_view> cells, size_t choices) {
  bool numbers = true, letters = true, zero = false;
  for (const std::string_view written : cells) {
    const std::string_view cell = strip(written);
    if (cell.empty()) continue;
    const auto number = whole(cell);
    numbers = numbers && number && *number >= 0 && static_cast<size_t>(*number) <= choices;
    zero = zero || number == 0;
    const auto at = letter(cell);
    letters = letters && at && *at < choices;
  }
  if (numbers) return zero ? ChoiceAnswer::from_0 : ChoiceAnswer::from_1;
  return letters ? ChoiceAnswer::letter : ChoiceAnswer::text;
}

std::string right_choice(std::string_view cell, ChoiceAnswer answer,
                         const std::vector<std::string>& choices, const std::string& where) {
  size_t index = choices.size();
  if (answer == ChoiceAnswer::text)
    index = static_cast<size_t>(
        std::ranges::find(choices, cell,
                          [](const std::string& choice) { return composed(choice); }) -
        choices.begin());
  else if (answer == ChoiceAnswer::letter)
    index = letter(cell).value_or(choices.size());
  else if (const auto number = whole(cell); number)
    index = static_cast<size_t>(*number - (answer == ChoiceAnswer::from_1 ? 1 : 0));
  if (index >= choices.size())
    throw Error(where + ": found the answer \"" + excerpt(cell) + "\", expected " +
                (answer == ChoiceAnswer::text ? "one of the alternatives"
                 : answer == ChoiceAnswer::letter
                     ? "a letter of the " + std::to_string(choices.size()) + " alternatives"
                 : answer == ChoiceAnswer::from_0 ? "0 to " + std::to_string(choices.size() - 1)
                                                  : "1 to " + std::to_string(choices.size())));
  return std::to_string(index + 1);
}

}  // namespace minibert

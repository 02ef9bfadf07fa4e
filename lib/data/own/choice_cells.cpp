#include "data/own/choice_cells.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/own/label_cells.h"
#include "data/own/numbered_cells.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr const char* kStems[] = {"choice", "choices", "option",      "options",
                                  "ending", "endings", "alternative", "candidate",
                                  "보기",   "선택지",  "선지",        ""};
constexpr std::string_view kNumber = "번", kCircled = "①";

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != ' ' && c != '_') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

// The columns `stem` + first, `stem` + the next, … as the table writes them, be it with 번 behind a number.
std::vector<std::string> counted(const DataTable& table, std::string_view stem,
                                 std::string_view first) {
  std::vector<std::string> out;
  for (size_t i = 0; i < kMostChoices; ++i) {
    const std::string wanted = std::string(stem) + place_from(first, i);
    const auto is_wanted = [&](const std::string& name) {
      return name == wanted || name == wanted + std::string(kNumber);
    };
    size_t found = 0;
    while (found < table.columns.size() &&
           (!is_wanted(plain(table.columns[found])) || table.is_unnamed(found)))
      ++found;
    if (found == table.columns.size()) break;
    out.push_back(table.columns[found]);
  }
  return out.size() > 1 ? out : std::vector<std::string>();
}

// Of names that are numbers or letters alone: two cells of every row are filled and none behind an empty one, with more
// than yes and no, and no two in a row are equal, as what two people A and B judge is.
bool hold_alternatives(const DataTable& table, const std::vector<std::string>& columns) {
  std::vector<size_t> places;
  for (const std::string& name : columns) places.push_back(table.column(name));
  bool flags = true;
  for (const TableRow& row : table.rows) {
    std::vector<std::string> cells;
    for (const size_t column : places) {
      cells.push_back(row.cells[column]);
      flags = flags && (strip(cells.back()).empty() || flag_of(cells.back()));
    }
    while (!cells.empty() && strip(cells.back()).empty()) cells.pop_back();
    if (cells.size() < 2 || have_equal(cells)) return false;
    for (const std::string& cell : cells)
      if (strip(cell).empty()) return false;
  }
  return !flags;
}

bool holds_lists(const DataTable& table, size_t column) {
  return std::ranges::all_of(table.rows, [&](const TableRow& row) {
    const std::string_view cell = strip(row.cells[column]);
    return cell.empty() || (cell.starts_with('[') && cell.ends_with(']'));
  });
}

// "choices", or "choices.text" beside the letters in "choices.label".
bool is_list_named(std::string_view name, std::string_view stem) {
  return name == stem || name == std::string(stem) + ".text";
}

// Whether most cells of a column hold numbered alternatives: one that does not is told with its line.
bool holds_numbered(const DataTable& table, size_t column) {
  size_t filled = 0, numbered = 0;
  for (const TableRow& row : table.rows) {
    if (strip(row.cells[column]).empty()) continue;
    ++filled;
    numbered += numbered_parts(row.cells[column]).empty() ? 0 : 1;
  }
  return numbered * 2 > filled;
}

// Columns that are called as alternatives are, without a number behind.
std::vector<size_t> list_columns(const DataTable& table) {
  std::vector<size_t> out;
  if (!table.header) return out;
  for (const std::string_view stem : kStems)
    for (size_t i = 0; !stem.empty() && i < table.columns.size(); ++i)
      if (is_list_named(plain(table.columns[i]), stem)) out.push_back(i);
  return out;
}

// "3", "③" and "3번" are 3.
std::optional<int64_t> whole(std::string_view cell) {
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
    for (const std::string_view first :
         {std::string_view("1"), kCircled, std::string_view("0"), std::string_view("a")})
      if (std::vector<std::string> found = counted(table, stem, first);
          !found.empty() && (!stem.empty() || hold_alternatives(table, found)))
        return found;
    if (stem.empty()) continue;
    for (size_t i = 0; i < table.columns.size(); ++i)
      if (is_list_named(plain(table.columns[i]), stem) && holds_lists(table, i) &&
          table.rows.front().cells[i].find(',') != std::string::npos)
        return {table.columns[i]};
  }
  for (const size_t column : list_columns(table))
    if (holds_numbered(table, column)) return {table.columns[column]};
  return {};
}

void refuse_joined_alternatives(const DataTable& table) {
  if (!choice_columns(table).empty()) return;
  for (const size_t column : list_columns(table)) {
    std::vector<std::string_view> cells;
    for (const TableRow& row : table.rows) cells.push_back(row.cells[column]);
    const std::string joint = joint_of_parts(cells);
    if (joint.empty()) continue;
    const TableRow& first = *std::ranges::find_if(
        table.rows, [&](const TableRow& row) { return !strip(row.cells[column]).empty(); });
    throw usage_error(
        table.where(first) + ": found alternatives " + joint + " in one cell of \"" +
        excerpt(table.columns[column]) + "\" (\"" + excerpt(strip(first.cells[column])) +
        "\"), expected a column for each (보기1, 보기2, …), a list of JSON, or numbers "
        "before them, as ① … ② … or (1) … (2) …");
  }
}

bool may_name_alternatives(const DataTable& table) {
  if (!table.header) return false;
  for (const std::string_view stem : kStems) {
    if (!counted(table, stem, kCircled).empty()) return true;
    if (stem.empty()) continue;
    if (!counted(table, stem, "1").empty()) return true;
    for (const std::string& column : table.columns)
      if (plain(column) == stem) return true;
  }
  return false;
}

ChoiceAnswer choice_answer_of(std::span<const std::string_view> cells, size_t choices,
                              size_t by_text) {
  size_t filled = 0, numbers = 0, letters = 0, zeros = 0, last = 0;
  for (const std::string_view written : cells) {
    const std::string_view cell = strip(written);
    if (cell.empty()) continue;
    ++filled;
    const auto number = whole(cell);
    numbers += number && *number >= 0 && static_cast<size_t>(*number) <= choices ? 1 : 0;
    zeros += number == 0 ? 1 : 0;
    last += number && *number > 0 && static_cast<size_t>(*number) == choices ? 1 : 0;
    const auto at = letter(cell);
    letters += at && *at < choices ? 1 : 0;
  }
  const auto are = [&](size_t count) {
    return count == filled || (2 * count > filled && count > by_text);
  };
  // 0 and the number of the last do not go together: the rarer is the slip.
  if (are(numbers)) return zeros > last ? ChoiceAnswer::from_0 : ChoiceAnswer::from_1;
  return are(letters) ? ChoiceAnswer::letter : ChoiceAnswer::text;
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
                     ? "a letter of the " + count_of(choices.size(), "alternative", "alternatives")
                 : answer == ChoiceAnswer::from_0 ? "0 to " + std::to_string(choices.size() - 1)
                                                  : "1 to " + std::to_string(choices.size())));
  return std::to_string(index + 1);
}

}  // namespace minibert

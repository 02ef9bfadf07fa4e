#include "data/tables/header_rows.h"

#include <algorithm>
#include <set>

#include "core/utf8.h"
#include "data/tables/cells.h"
#include "data/tables/usual_columns.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

// The different values of a column below the first row, where they come again and again; none of a text.
std::set<std::string_view> repeated_values(std::span<const TableRow> rows, size_t column) {
  constexpr size_t kLeast = 4;
  std::set<std::string_view> values;
  size_t filled = 0;
  for (const TableRow& row : rows.subspan(1)) {
    if (row.cells.size() <= column) continue;
    const std::string_view cell = strip(row.cells[column]);
    if (cell.empty()) continue;
    ++filled;
    values.insert(cell);
  }
  if (filled < kLeast || values.size() * 2 > filled) values.clear();
  return values;
}

// Whether a column has labels and the first row's cell is none of them: it is a name then, however long the names
// beside it are.
bool has_labels_below(std::span<const TableRow> rows, size_t column) {
  const std::set<std::string_view> values = repeated_values(rows, column);
  return !values.empty() && !values.contains(strip(rows.front().cells[column]));
}

// Whether a column has the first row's cell again, but in rows that repeat the first as a whole.
bool comes_again(std::span<const TableRow> rows, size_t column) {
  const std::string_view name = strip(rows.front().cells[column]);
  return std::ranges::any_of(rows.subspan(1), [&](const TableRow& row) {
    return row.cells.size() > column && strip(row.cells[column]) == name &&
           !are_equal(rows.front(), row);
  });
}

// Do the first row's cells name the columns? Names are all different, no numbers, and no values of
// their own columns; a single column's is one that is used as such. A form's question may be a name, too.
Header header_of(std::span<const TableRow> rows, const std::vector<std::string>& wanted) {
  const std::vector<std::string>& first = rows.front().cells;
  const size_t width = filled_size(first);
  std::set<std::string_view> names;
  for (size_t i = 0; i < width; ++i) names.insert(strip(first[i]));
  // Numbers count columns that have no names, even where a cell is one of them: a label may be 1.
  if (!wanted.empty() && std::ranges::all_of(wanted, is_number)) return Header::none;
  for (const std::string_view name : names)
    if (!wanted.empty() && std::ranges::find(wanted, column_name(name)) != wanted.end())
      return Header::by_name;
  // A label may be called as columns are: "질문" beside "답변".
  for (size_t i = 0; i < width; ++i)
    if (is_usual_column(column_name(first[i])) &&
        (!comes_again(rows, i) || repeated_values(rows, i).empty()))
      return Header::by_name;
  if (width < 2 || names.size() != width || rows.size() < 2) return Header::none;
  constexpr size_t kUsualBytes = 40, kMostCharacters = 100;
  bool is_long = false;
  for (size_t i = 0; i < width; ++i) {
    const std::string_view name = strip(first[i]);
    if (is_number(name) || to_code_points(name).size() > kMostCharacters) return Header::none;
    is_long = is_long || name.size() > kUsualBytes;
    for (size_t r = 1; r < rows.size(); ++r)
      if (rows[r].cells.size() > i && !name.empty() && strip(rows[r].cells[i]) == name)
        return Header::none;
  }
  if (!is_long) return Header::by_difference;
  for (size_t i = 0; i < width; ++i)
    if (has_labels_below(rows, i)) return Header::by_difference;
  return Header::none;
}

}  // namespace

std::string column_name(std::string_view cell) {
  const std::string name = composed(cell);
  return std::string(strip(name));
}

bool are_equal(const TableRow& one, const TableRow& other) {
  const size_t width = filled_size(one.cells);
  if (width != filled_size(other.cells)) return false;
  for (size_t i = 0; i < width; ++i)
    if (strip(one.cells[i]) != strip(other.cells[i])) return false;
  return true;
}

NamingRow find_header(const std::vector<TableRow>& rows, const std::vector<std::string>& wanted) {
  constexpr size_t kMostAbove = 10;
  const Header first = header_of(rows, wanted);
  size_t widest = filled_size(rows.front().cells);
  if (first != Header::none && widest > 1) return {0, first};
  for (size_t i = 1; i < rows.size() && i <= kMostAbove; ++i) {
    const size_t width = filled_size(rows[i].cells);
    if (width > 1 && width > widest)
      if (const Header how = header_of(std::span(rows).subspan(i), wanted); how != Header::none)
        return {i, how};
    widest = std::max(widest, width);
  }
  return {0, first};
}

bool names_more(std::span<const TableRow> rows) {
  if (rows.size() < 2) return false;
  const std::vector<std::string>&above = rows[0].cells, &below = rows[1].cells;
  const auto cell = [](const std::vector<std::string>& cells, size_t i) {
    return i < cells.size() ? strip(cells[i]) : std::string_view();
  };
  bool more = false;
  const size_t width = std::max(filled_size(above), filled_size(below));
  for (size_t i = 0; i < width; ++i) {
    const bool merged = cell(above, i).empty() || (i + 1 < width && cell(above, i + 1).empty());
    const std::string_view name = cell(below, i);
    if (merged == name.empty()) return false;
    if (!name.empty() && (is_number(name) || comes_again(rows.subspan(1), i))) return false;
    more = more || cell(above, i).empty();
  }
  return more;
}

std::vector<std::string> names_of_both(const TableRow& above, const TableRow& below) {
  std::vector<std::string> out, groups;
  for (size_t i = 0; i < std::max(above.cells.size(), below.cells.size()); ++i) {
    const std::string upper = i < above.cells.size() ? column_name(above.cells[i]) : "",
                      lower = i < below.cells.size() ? column_name(below.cells[i]) : "";
    groups.push_back(!upper.empty() || groups.empty() ? upper : groups.back());
    out.push_back(lower.empty() ? upper : lower);
  }
  const std::vector<std::string> names = out;
  for (size_t i = 0; i < out.size(); ++i)
    if (std::ranges::count(names, names[i]) > 1 && !groups[i].empty() && groups[i] != names[i])
      out[i] = groups[i] + " " + names[i];
  return out;
}

}  // namespace minibert

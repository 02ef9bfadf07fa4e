#include "data/tables/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
std::string DataTable::where(const TableRow& row) const {
  if (format == "folders") return row.cells[2];
  if (format == "JSON") return path + ": [" + std::to_string(row.place) + "]";
  return path + ":" + std::to_string(row.place);
}

bool DataTable::is_unnamed(size_t column) const {
  return std::ranges::find(unnamed, column) != unnamed.end();
}

size_t DataTable::column(const std::string& name) const {
  auto found = std::ranges::find(columns, name);
  if (found == columns.end()) found = std::ranges::find(columns, composed(name));
  if (found != columns.end()) return static_cast<size_t>(found - columns.begin());
  constexpr size_t kQuoted = 60;
  std::vector<std::string> shown;
  for (const std::string& one : columns) shown.push_back(clipped(one, kQuoted));
  const std::string near = nearest(name, columns);
  throw usage_error(path + ": found the columns " + joined(shown) + ", expected one named \"" +
                    name + "\"" + (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
}

bool is_missing_mark(std::string_view cell) {
  static constexpr std::string_view kMarks[] = {"NA",  "N/A", "n/a",  "#N/A", "#NA",
                                                "NaN", "nan", "NULL", "null", "<NA>"};
  return std::ranges::find(kMarks, strip(cell)) != std::end(kMarks);
}

bool is_number(std::string_view cell) {
  const std::string_view bare = strip(cell);
  double value = 0;
  const auto [end, error] = std::from_chars(bare.data(), bare.data() + bare.size(), value);
  constexpr double kLargest = std::numeric_limits<float>::max();  // models calculate with these
  return error == std::errc() && end == bare.data() + bare.size() && std::abs(value) <= kLargest;
}

}  // namespace minibert

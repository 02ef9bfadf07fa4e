// Tables written for spreadsheets and programs.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace minibert {

// Throws a usage Error where a path's ending is not one of those of write_table().
void check_table_path(const std::string& path);

// Columns, by their index, whose cells are JSON: numbers and lists. In JSON lines they stand as such, an empty cell as
// null.
using JsonColumns = std::set<size_t>;

// Writes by the name's end: .csv (RFC 4180, with a byte order mark, without which a spreadsheet takes Hangul for another
// encoding), .tsv (tabs and line breaks in cells become spaces), .jsonl or .ndjson (an object a line; cells are strings
// but for `json`; where `objects` has the rows' objects, as JSON, the cells stand behind their keys). Replaces the file
// in one step; throws Error where it cannot be written, and as check_table_path().
void write_table(const std::string& path, const std::vector<std::string>& columns,
                 const std::vector<std::vector<std::string>>& rows, const JsonColumns& json = {},
                 const std::vector<std::string>& objects = {});

}  // namespace minibert

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

// By the name's end: .tsv (tabs), .jsonl or .ndjson (an object a line; cells are strings, but for `json`), .csv (RFC
// 4180, with a byte order mark, without which a spreadsheet takes Hangul for another encoding). Cells are
// quoted where they need it. Replaces the file in one step; throws Error where it cannot be written, and as
// check_table_path().
void write_table(const std::string& path, const std::vector<std::string>& columns,
                 const std::vector<std::vector<std::string>>& rows, const JsonColumns& json = {});

// Writes JSON lines: each object, with the columns and cells of its row behind its own keys. Throws Error where
// the file cannot be written.
void write_objects(const std::string& path, const std::vector<std::string>& objects,
                   const std::vector<std::string>& columns,
                   const std::vector<std::vector<std::string>>& rows, const JsonColumns& json = {});

}  // namespace minibert

// Writes tables for spreadsheets and programs.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace minibert {

// Throws a usage Error if write_table() does not know the path's ending.
void check_table_path(const std::string& path);

// Indices of columns of JSON (numbers, lists). JSON lines hold their values, null if empty.
using JsonColumns = std::set<size_t>;

// Writes a table in the form that the ending names: .csv (RFC 4180 with a byte order mark, without
// which a spreadsheet misreads Hangul), .tsv (tabs and line breaks in cells become spaces), .jsonl
// or .ndjson (an object a line; cells are strings except `json`; if `objects` has the rows' objects
// as JSON, the cells follow their keys). Replaces the file in one step. Throws Error if it cannot
// be written, and like check_table_path().
void write_table(const std::string& path, const std::vector<std::string>& columns,
                 const std::vector<std::vector<std::string>>& rows, const JsonColumns& json = {},
                 const std::vector<std::string>& objects = {});

}  // namespace minibert

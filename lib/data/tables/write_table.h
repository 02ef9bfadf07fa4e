// Tables written for spreadsheets and programs.
#pragma once

#include <string>
#include <vector>

namespace minibert {

// Throws a usage Error where a path's ending is that of another kind of file or of a compressed one: .xlsx, .json, .gz, ….
void check_table_path(const std::string& path);

// By the name's end: .tsv (tabs), .jsonl (an object a line, every cell a string), anything else CSV (RFC
// 4180, with a byte order mark, without which a spreadsheet takes Hangul for another encoding). Cells are
// quoted where they need it. Replaces the file in one step; throws Error where it cannot be written, and as
// check_table_path().
void write_table(const std::string& path, const std::vector<std::string>& columns,
                 const std::vector<std::vector<std::string>>& rows);

// Writes JSON lines: each object, with the columns and cells of its row, strings, behind its own keys. Throws Error where
// the file cannot be written.
void write_objects(const std::string& path, const std::vector<std::string>& objects,
                   const std::vector<std::string>& columns,
                   const std::vector<std::vector<std::string>>& rows);

}  // namespace minibert

// Reads a file of rows with named columns: CSV, TSV, JSON lines or a JSON array of objects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

struct TableRow {
  std::vector<std::string> cells;  // one a column, as in the file
  uint64_t place = 0;              // its first line, from 1; in a JSON array its index, from 0
};

struct FileTable {
  std::string path;
  std::string format;    // CSV | TSV | JSON lines | JSON
  std::string encoding;  // as named in text_encoding.h
  // composed(); columns of JSON objects are in alphabetical order.
  std::vector<std::string> columns;
  std::vector<TableRow> rows;        // at least one
  std::vector<std::string> objects;  // JSON only: every row's object as text

  // Returns "path:line", or "path: [index]" for a JSON array.
  std::string where(const TableRow& row) const;
  // Returns a column's index. Throws a usage Error that lists the columns and names the nearest.
  size_t column(const std::string& name) const;
  // "reviews.csv: CSV in CP949, 1200 rows"
  std::string described() const;
};

struct TableOptions {
  std::string separator = "auto";        // a value of kSeparators
  std::vector<std::string> header = {};  // column names of a file without a header row
  bool keep_blank = false;               // a blank line is a row of empty cells
};

// Reads a file, plain or compressed as for open_bytes(), in an encoding of text_encoding.h. The
// name tells JSON (.json) and JSON lines (.jsonl, .ndjson); any other file has separated cells
// below one header row. The separator is the tab in .tsv, else the first of tab, semicolon and
// comma that the header row has. Cells between commas and semicolons follow RFC 4180: quoted cells
// may hold separators, line breaks and doubled quotes. Between tabs a quote is a letter. Blank rows
// are skipped. JSON numbers and lists become cells of JSON text, null an empty cell. Throws Error
// naming file and line for a row whose number of cells differs from the columns', an unclosed
// quote, a repeated column, broken JSON, and a file without rows.
FileTable read_table(const std::string& path, const TableOptions& options = {});

// Returns true if a file's name, without .gz or .zst, ends in `ending` (".jsonl").
bool has_ending(const std::string& path, std::string_view ending);
bool is_json_lines(const std::string& path);
bool is_json(const std::string& path);  // JSON or JSON lines

}  // namespace minibert

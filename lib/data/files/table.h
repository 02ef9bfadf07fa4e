// A file of rows with named columns: CSV, TSV, JSON lines or a JSON array of objects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

struct TableRow {
  std::vector<std::string> cells;  // as many as the table has columns, as they stand in the file
  uint64_t place = 0;  // line where it begins, from 1; of a JSON array its index, from 0
};

struct FileTable {
  std::string path;
  std::string format;    // CSV | TSV | JSON lines | JSON
  std::string encoding;  // as text_encoding.h tells it
  std::vector<std::string>
      columns;  // as composed() has them; those of a JSON object in the order of their names
  std::vector<TableRow> rows;        // at least one
  std::vector<std::string> objects;  // of JSON every row's object, as JSON

  // "path:line", or "path: [index]" of a JSON array.
  std::string where(const TableRow& row) const;
  // The index of a column. Throws a usage Error that lists the columns and names the nearest.
  size_t column(const std::string& name) const;
  // "reviews.csv: CSV in CP949, 1200 rows"
  std::string described() const;
};

struct TableOptions {
  std::string separator = "auto";        // as file_source.h has them
  std::vector<std::string> header = {};  // the columns' names, of a file without a header row
  bool keep_blank = false;               // a blank line is a row of empty cells
};

// Reads a file, plain or compressed as open_bytes() does, in an encoding of text_encoding.h. Its name says JSON (.json)
// or JSON lines (.jsonl, .ndjson); anything else is separated cells below one header row. The separator is the tab of
// .tsv, else the first of tab, semicolon and comma that the header row has. Cells between commas and semicolons are RFC
// 4180's: in quotes they may hold separators, line breaks and doubled quotes. Between tabs a quote is a letter. Rows
// whose cells are all blank are passed over. Of JSON, numbers and lists are cells of their JSON text, null an empty
// one. Throws Error naming file and line: another number of cells than columns, a quote that is never closed, a column
// that stands twice, broken JSON, no rows.
FileTable read_table(const std::string& path, const TableOptions& options = {});

// Whether a file's name, without .gz or .zst, ends like this: ".jsonl".
bool has_ending(const std::string& path, std::string_view ending);
bool is_json_lines(const std::string& path);
bool is_json(const std::string& path);  // JSON or JSON lines

}  // namespace minibert

// A file of rows with named columns, whatever its form: values separated by commas, tabs, semicolons
// or bars, JSON lines, a JSON list, or a folder with a folder of texts for every label.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

struct TableRow {
  std::vector<std::string> cells;  // as many as the table has columns, as they stand in the file
  uint64_t place = 0;              // line where it begins, from 1; of a JSON list its index, from 0
};

struct DataTable {
  std::string path;
  std::string format;    // CSV | TSV | JSON lines | JSON | folders | lines
  std::string encoding;  // UTF-8 | UTF-16LE | UTF-16BE | CP949
  bool header = true;    // the columns' names stand in the file
  // As composed() has them. Of a file without a header "1", "2", …; of a folder "text", "label", "file".
  std::vector<std::string> columns;
  std::vector<size_t>
      unnamed;  // columns that the header leaves without a name: "1", "2", … by their place
  std::vector<TableRow> rows;  // at least one
  // The objects of the rows of JSON, as JSON; empty unless they were asked for.
  std::vector<std::string> objects;
  bool keeps_objects = false;
  bool rewritten = false;  // as TableOptions has it
  std::vector<std::string>
      notes;  // one line each: what was left out, what was read unlike RFC 4180

  // "path:line", for messages.
  std::string where(const TableRow& row) const;
  bool is_unnamed(size_t column) const;
  // Is it CSV or TSV, which spreadsheets write?
  bool is_separated() const { return format == "CSV" || format == "TSV"; }
  // The index of a column. Throws a usage Error that lists the columns and names the nearest.
  size_t column(const std::string& name) const;
};

struct TableOptions {
  std::optional<bool> header;      // unset: told from the first row
  std::string separator = "auto";  // auto | comma | tab | semicolon | bar
  // Columns that will be asked for: a first row with one of these names is a header, and where all are
  // numbers there is none.
  std::vector<std::string> wanted = {};
  bool keep_objects = false;  // of JSON also the rows' objects, DataTable::objects
  // The table will be written again, beside the one that was read: empty rows between others stay, and so do all cells.
  bool rewritten = false;
  bool blank_rows_divide =
      false;  // sentences of words: then one behind the last row is none that is left out
};

inline const std::vector<std::string> kSeparators = {"auto", "comma", "tab", "semicolon", "bar"};

// Whether a cell says that nothing is known, as spreadsheets and pandas write it: NA, N/A, #N/A, NaN, NULL, <NA>.
bool is_missing_mark(std::string_view cell);

// Whether a cell is a number and nothing else but white space around it: no infinity, and none that a float cannot hold.
bool is_number(std::string_view cell);

}  // namespace minibert

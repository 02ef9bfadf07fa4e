// Reads texts from a table's columns, and writes a table with a model's results beside them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "data/files/file_source.h"
#include "data/files/table.h"

namespace minibert {

struct TableTexts {
  std::string in, out;
  // Column names by the row's key ("text", "pair", …); empty: the run's column, else the usual one.
  std::vector<std::pair<std::string, std::string>> columns;
  TableLayout learnt;  // from the run

  // True if --in is given.
  bool given() const { return !in.empty(); }
};

// Adds --in, --out and, for every one of `keys`, --KEY COLUMN. Only a pair may have no column.
void add_table_texts(CLI::App& command, const std::vector<std::string>& keys, TableTexts* table);

// A cell to add to a row. `is_json`: its text is a number or a list, written as such in JSON lines.
struct AddedCell {
  std::string column, text;
  bool is_json = false;
};
// The same columns for every row.
using AddedCells = std::vector<AddedCell>;

// Returns the layout of the training tables of the record `run`; empty for a model file and for
// other data. Throws Error naming the file.
TableLayout learnt_layout(const std::string& run);

// Calls `use` with every row's cells for the command, in the order of its keys (a missing pair:
// empty), and writes the rows with the returned cells. Reports on stderr the columns it chose by
// itself. Every row and blank line gives a row; it has empty cells if its text is blank, if `use`
// returns nothing because the row lacks what the command `needs`, or if `use` throws a usage Error
// because the model cannot read it; both cases are counted on stderr. Throws a usage Error if no row
// has a result. Other Errors of `use` get the row's file and line. New columns get unused names.
void for_each_row(const TableTexts& table,
                  const std::function<AddedCells(const std::vector<std::string>&)>& use,
                  const std::string& needs = "a text");

}  // namespace minibert

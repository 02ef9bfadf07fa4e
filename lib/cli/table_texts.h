// The texts of a table's columns, with what a model says of each beside them in another table.
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
  // Names of columns by what the command wants of a row ("text", "pair", …); empty: the run's, else the usual one.
  std::vector<std::pair<std::string, std::string>> columns;
  TableLayout learnt;  // of the run

  // --in is given.
  bool given() const { return !in.empty(); }
};

// Adds --in, --out and for every one of `keys` --KEY COLUMN. Of these a pair may have no column.
void add_table_texts(CLI::App& command, const std::vector<std::string>& keys, TableTexts* table);

// A cell to add to a row. `is_json`: its text is a number or a list, which stands as such in JSON lines.
struct AddedCell {
  std::string column, text;
  bool is_json = false;
};
// The same columns for every row.
using AddedCells = std::vector<AddedCell>;

// The layout of the tables that the record `run` learnt from; empty for a model file and for other data. Throws Error
// naming the file.
TableLayout learnt_layout(const std::string& run);

// Calls `use` with the cells of every row that the command wants, in the order of its keys (a pair that the table has
// not: empty), says on stderr which columns it took unasked, and writes the rows with the cells that it returns. Each
// row and each blank line gets a row: empty cells where its text is blank, where `use` returns nothing as it has not
// what the command `needs`, or where it throws a usage Error as the model cannot read it; both are counted on stderr. A
// table of such rows alone is a usage Error. Other Errors of `use` get the row's file and line. No new column has the
// name of one that is there.
void for_each_row(const TableTexts& table,
                  const std::function<AddedCells(const std::vector<std::string>&)>& use,
                  const std::string& needs = "a text");

}  // namespace minibert

// The texts of a table's column, with what a model says of each beside them in another table.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "data/own_source.h"

namespace minibert {

struct TableTexts {
  std::string in, out;
  // Names of columns by what the command wants of a row ("text", "pair", …), in the order of
  // add_table_texts; empty: the usual names are looked for.
  std::vector<std::pair<std::string, std::string>> columns;
  OwnColumns learnt;  // by the run, which are taken before the usual names

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

// The columns that the record `run` learnt from, of labelled files of one's own; none for a model file and for other
// data. Throws Error naming the file.
OwnColumns learnt_columns(const std::string& run);

// What of the columns that a run learnt from the table has; nothing where its texts' columns are not all there.
OwnColumns learnt_there(const OwnColumns& learnt, const DataTable& table);

// Calls `use` with the cells of every row that the command wants, in the order of its keys (a pair that
// the table has not: empty), says on stderr which columns it took unasked, and writes the rows with the cells that it returns. A row whose text is
// empty, or for which `use` returns nothing as it has not what the command `needs`, or throws a usage Error as the model
// cannot read it, gets empty cells and is counted on stderr; a table of such rows alone is a usage Error. Other Errors of
// `use` get the row's file and line. No new column has the name of one that is there, nor of a key of a row's object.
void for_each_row(const TableTexts& table,
                  const std::function<AddedCells(const std::vector<std::string>&)>& use,
                  const std::string& needs = "a text");

}  // namespace minibert

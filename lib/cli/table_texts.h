// The texts of a table's column, with what a model says of each beside them in another table.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace minibert {

struct TableTexts {
  std::string in, out;
  // Names of columns by what the command wants of a row ("text", "pair", …), in the order of
  // add_table_texts; empty: the usual names are looked for.
  std::vector<std::pair<std::string, std::string>> columns;

  // --in is given.
  bool given() const { return !in.empty(); }
};

// Adds --in, --out and for every one of `keys` --KEY COLUMN. Of these a pair may have no column.
void add_table_texts(CLI::App& command, const std::vector<std::string>& keys, TableTexts* table);

// Cells to add to a row, by their columns' names; the same columns for every row.
using AddedCells = std::vector<std::pair<std::string, std::string>>;

// Calls `use` with the cells of every row that the command wants, in the order of its keys (a pair that
// the table has not: empty), and writes the rows with the cells that it returns. A row whose text is
// empty, or for which `use` returns nothing as it has not what the command `needs`, gets empty cells and is
// counted on stderr; a table of such rows alone is a usage Error. Errors of `use` get the row's file and line.
void for_each_row(const TableTexts& table,
                  const std::function<AddedCells(const std::vector<std::string>&)>& use,
                  const std::string& needs = "a text");

}  // namespace minibert

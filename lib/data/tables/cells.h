// Text to cells: which separator stands between them, and whether quotes mean anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/tables/table.h"

namespace minibert {

constexpr char kNoSeparator = '\x1f';  // one column: it stands in no text

struct Cells {
  std::vector<TableRow> rows;
  uint64_t bad_line = 0;  // 0: all was read
  std::string problem = {};
  std::vector<uint64_t> blank_lines = {};
};

// The cells of one line as they stand between separators, in their quotes.
std::vector<std::string_view> cells_between(std::string_view line, char separator);

// The same of a text, a row a line.
Cells split_lines(std::string_view text, char separator);

// Cells that libcsv reads, or lines between tabs where quotes are letters. Notes what it did with quotes in `table`,
// whose path is set. Errors: a quote that is not closed, or that would take in the rows below it.
Cells parse_cells(const std::string& text, char separator, DataTable* table);

// The separator that cuts the rows into the same number of cells, more than one; else kNoSeparator. Commas of sentences
// give way to another that does as well.
char find_separator(const std::string& text, const std::string& path);

// The cells of a row up to the last that says something.
size_t filled_size(const std::vector<std::string>& cells);

}  // namespace minibert

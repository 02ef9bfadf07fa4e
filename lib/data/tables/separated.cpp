#include "data/tables/separated.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/tables/cells.h"
#include "data/tables/header_rows.h"
#include "data/tables/python_cells.h"
#include "data/tables/usual_columns.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr size_t kQuoted = 60;  // bytes of a cell in a message

// The cells that say something, for a message: one line.
std::vector<std::string> filled(const TableRow& row) {
  std::vector<std::string> out;
  for (const std::string& cell : row.cells)
    if (std::string bare(strip(cell)); !bare.empty()) {
      for (char& c : bare)
        if (c == '\r' || c == '\n') c = ' ';
      out.push_back("\"" + clipped(bare, kQuoted) + "\"");
    }
  return out;
}

void name_columns(std::vector<std::string> names, uint64_t line, DataTable* table) {
  while (!names.empty() && strip(names.back()).empty()) names.pop_back();
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string name = column_name(names[i]);
    if (std::ranges::count(table->columns, name) > 0)
      throw Error(table->path + ":" + std::to_string(line) + ": found the column \"" +
                  clipped(name, kQuoted) + "\" twice, expected different names");
    if (name.empty()) table->unnamed.push_back(i);
    table->columns.push_back(name.empty() ? std::to_string(i + 1) : name);
  }
}

constexpr size_t kNamedSeparator = 5;

// Of a first line "sep=;", by which Excel is told how cells are separated.
char named_separator(const std::string& text) {
  if (text.size() <= kNamedSeparator || !text.starts_with("sep=") ||
      (text[kNamedSeparator] != '\r' && text[kNamedSeparator] != '\n'))
    return kNoSeparator;
  return text[kNamedSeparator - 1];
}

// In a file that has semicolons between cells commas are free for decimals: "3,5" of a score is 3.5.
void read_decimal_commas(DataTable* table) {
  for (size_t column = 0; column < table->columns.size(); ++column) {
    if (!is_score_column(table->columns[column])) continue;
    const auto with_point = [&](const TableRow& row) {
      std::string cell(strip(row.cells[column]));
      if (std::ranges::count(cell, ',') == 1) cell[cell.find(',')] = '.';
      return cell;
    };
    bool numbers = true, commas = false;
    for (const TableRow& row : table->rows) {
      commas = commas || row.cells[column].find(',') != std::string::npos;
      const std::string cell = with_point(row);
      numbers = numbers && (cell.empty() || is_missing_mark(cell) || is_number(cell));
    }
    if (!numbers || !commas) continue;
    for (TableRow& row : table->rows) row.cells[column] = with_point(row);
    table->notes.push_back("column \"" + clipped(table->columns[column], kQuoted) +
                           "\": commas are decimal points");
  }
}

}  // namespace

void read_separated(const std::string& given, const TableOptions& options, DataTable* table) {
  char separator = kNoSeparator;
  const char named = named_separator(given);
  // The line stays, empty: others keep their numbers.
  const std::string text = named != kNoSeparator ? given.substr(kNamedSeparator) : given;
  if (named != kNoSeparator && options.separator == "auto") {
    separator = named;
  } else if (options.separator == "auto") {
    separator = find_separator(text, table->path);
  } else {
    separator = options.separator == "comma"       ? ','
                : options.separator == "tab"       ? '\t'
                : options.separator == "semicolon" ? ';'
                                                   : '|';
  }
  const bool lines = separator == kNoSeparator && extension_of(table->path) != ".csv";
  Cells cells = lines ? split_lines(text, separator) : parse_cells(text, separator, table);
  if (cells.rows.empty()) throw Error(table->path + ": is empty, expected rows");
  table->format = separator == '\t' ? "TSV" : lines ? "lines" : "CSV";
  if (separator == ';' || separator == '|')
    table->notes.push_back(std::string("cells are separated by \"") + separator + "\"");
  const NamingRow header =
      options.header.value_or(true) ? find_header(cells.rows, options.wanted) : NamingRow();
  table->header = options.header.value_or(header.how != Header::none);
  size_t first = 0;
  std::vector<TableRow> naming;
  if (table->header) {
    first = header.index;
    const TableRow& names = cells.rows[first];
    naming.push_back(names);
    if (first > 0)
      table->notes.push_back("columns are named in line " + std::to_string(names.place) + "; " +
                             count_of(first, "row", "rows") +
                             " above left out: " + joined(filled(cells.rows.front())));
    const bool two = names_more(std::span(cells.rows).subspan(first));
    if (!options.header && header.how == Header::by_difference && !two)
      table->notes.push_back(
          "line " + std::to_string(names.place) +
          " is taken for the columns' names, as its cells stand nowhere below: " +
          joined(filled(names)) + " (header=false reads it as the others)");
    if (two) {
      naming.push_back(cells.rows[first + 1]);
      name_columns(names_of_both(names, naming.back()), names.place, table);
      table->notes.push_back("lines " + std::to_string(names.place) + " and " +
                             std::to_string(naming.back().place) + " name the columns together");
    } else {
      name_columns(names.cells, names.place, table);
    }
    first += naming.size();
  } else {
    const std::vector<std::string>& cells_of_first = cells.rows.front().cells;
    for (size_t i = 0; i < cells_of_first.size(); ++i)
      table->columns.push_back(std::to_string(i + 1));
    if (!options.header && cells_of_first.size() > 1)
      table->notes.push_back(
          "its first row names no columns as far as can be told, and is read as "
          "the others: " +
          joined(filled(cells.rows.front())));
  }
  const size_t width = table->columns.size();
  // Blank lines between rows, which a spreadsheet shows as rows.
  auto line = cells.blank_lines.begin();
  const auto keep_lines_before = [&](uint64_t place) {
    for (; line != cells.blank_lines.end() && *line < place; ++line)
      if (naming.empty() || *line > naming.back().place)
        table->rows.push_back({std::vector<std::string>(width), *line});
  };
  size_t blank = 0, uneven = 0, repeated = 0;
  uint64_t first_repeated = 0;
  const TableRow* bad = nullptr;
  for (size_t i = first; i < cells.rows.size(); ++i) {
    TableRow& row = cells.rows[i];
    const size_t filled = filled_size(row.cells);
    if (options.rewritten) keep_lines_before(row.place);
    if (filled == 0 && options.rewritten) {
      row.cells.resize(width);
      table->rows.push_back(std::move(row));
    } else if (filled == 0) {
      ++blank;
    } else if (width > 1 && std::ranges::any_of(naming, [&](const TableRow& names) {
                 return are_equal(names, row);
               })) {
      if (repeated++ == 0) first_repeated = row.place;
    } else if (filled > width || row.cells.size() < width) {
      if (uneven++ == 0) bad = &row;
    } else {
      row.cells.resize(width);
      table->rows.push_back(std::move(row));
    }
  }
  if (bad != nullptr) {
    std::vector<std::string> names;
    for (const std::string& name : table->columns) names.push_back(clipped(name, kQuoted));
    throw Error(table->where(*bad) + ": found " + count_of(bad->cells.size(), "cell", "cells") +
                ", expected " + std::to_string(width) + " (" + joined(names) + ")" +
                (uneven > 1 ? "; so in " + std::to_string(uneven) + " rows" : "") +
                (bad->cells.size() > width && separator != kNoSeparator
                     ? "; a cell that holds a separator needs \"…\" around it"
                     : ""));
  }
  for (; !table->rows.empty() && filled_size(table->rows.back().cells) == 0;
       blank += options.blank_rows_divide ? 0 : 1)
    table->rows.pop_back();
  if (!options.rewritten) read_python_cells(table);
  if (blank > 0) table->notes.push_back(count_of(blank, "row is", "rows are") + " empty: left out");
  if (repeated > 0)
    table->notes.push_back(count_of(repeated, "row repeats", "rows repeat") +
                           " the columns' names: left out (the first is line " +
                           std::to_string(first_repeated) + ")");
  if (separator == ';') read_decimal_commas(table);
}

}  // namespace minibert

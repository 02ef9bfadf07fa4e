// libcsv reads cells; what is decided here: the separator, and whether quotes mean anything.
#include "data/tables/cells.h"

#include <csv.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "data/tables/usual_columns.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr size_t kSample = size_t{1} << 16;

enum class Quotes { strict, lenient };

class Parser {
 public:
  Parser(char separator, Quotes quotes) {
    const auto options =
        static_cast<unsigned char>(CSV_STRICT_FINI | (quotes == Quotes::strict ? CSV_STRICT : 0));
    if (csv_init(&parser_, options) != 0) throw Error("libcsv cannot be started");
    csv_set_delim(&parser_, static_cast<unsigned char>(separator));
    csv_set_space_func(&parser_, [](unsigned char c) { return c == ' ' ? 1 : 0; });
  }
  ~Parser() { csv_free(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  Cells parse(std::string_view text) {
    // Line by line, as libcsv tells of no lines.
    uint64_t line = 0;
    while (!text.empty() && out_.bad_line == 0) {
      size_t end = text.find_first_of("\r\n");
      if (end == std::string_view::npos) {
        end = text.size();
      } else {
        end += text.substr(end).starts_with("\r\n") ? 2 : 1;
      }
      ++line;
      if (ended_) begin_ = line;
      ended_ = false;
      const size_t rows = out_.rows.size();
      if (csv_parse(&parser_, text.data(), end, add_cell, end_row, this) != end)
        fail(line, "a quote that does not fit");
      if (cells_.empty() && parser_.pstate == 0) {
        ended_ = true;
        if (out_.rows.size() == rows) out_.blank_lines.push_back(line);
      }
      text.remove_prefix(end);
    }
    if (out_.bad_line == 0 && csv_fini(&parser_, add_cell, end_row, this) != 0)
      fail(begin_, "a quote that is never closed");
    return std::move(out_);
  }

 private:
  static void add_cell(void* cell, size_t size, void* self) {
    static_cast<Parser*>(self)->cells_.emplace_back(static_cast<const char*>(cell), size);
  }
  static void end_row(int, void* self) {
    auto* parser = static_cast<Parser*>(self);
    parser->out_.rows.push_back({std::move(parser->cells_), parser->begin_});
    parser->cells_.clear();
    parser->ended_ = true;
  }
  void fail(uint64_t line, const char* problem) {
    out_.bad_line = line;
    out_.problem = problem;
  }

  csv_parser parser_{};
  std::vector<std::string> cells_;
  Cells out_;
  uint64_t begin_ = 1;
  bool ended_ = true;
};

bool is_even(const Cells& cells) {
  return cells.bad_line == 0 && std::ranges::all_of(cells.rows, [&](const TableRow& row) {
           return filled_size(row.cells) <= cells.rows.front().cells.size() &&
                  row.cells.size() >= cells.rows.front().cells.size();
         });
}

bool spans_lines(const TableRow& row) {
  return std::ranges::any_of(row.cells, [](const std::string& cell) {
    return cell.find_first_of("\r\n") != std::string::npos;
  });
}

// What the cells of a column are alike in, where they are: all numbers, or few different values.
struct Likeness {
  bool numbers = false;
  std::set<std::string_view> values = {};  // empty: they are all kinds of text

  bool says_something() const { return numbers || !values.empty(); }
  bool fits(std::string_view cell) const {
    return numbers ? is_number(cell) : values.contains(strip(cell));
  }
};

std::vector<Likeness> likenesses(const std::vector<TableRow>& rows) {
  constexpr double kMost = 0.9;
  std::vector<Likeness> out(rows.front().cells.size());
  for (size_t column = 0; column < out.size(); ++column) {
    std::set<std::string_view> values;
    size_t filled = 0, numbers = 0;
    for (const TableRow& row : std::span(rows).subspan(1)) {
      if (row.cells.size() <= column || spans_lines(row)) continue;
      const std::string_view cell = strip(row.cells[column]);
      if (cell.empty()) continue;
      ++filled;
      numbers += is_number(cell) ? 1 : 0;
      values.insert(cell);
    }
    if (filled == 0) continue;
    out[column].numbers = static_cast<double>(numbers) >= kMost * static_cast<double>(filled);
    if (!out[column].numbers && values.size() * 2 <= filled) out[column].values = std::move(values);
  }
  return out;
}

// Whether a line is a row of the table by itself: it has as many cells, with labels and numbers where other rows
// have them.
bool is_row(std::string_view line, char separator, const std::vector<Likeness>& columns) {
  const auto fits = [&](const Cells& cells) {
    if (cells.bad_line != 0 || cells.rows.size() != 1) return false;
    const std::vector<std::string>& found = cells.rows.front().cells;
    if (found.size() != columns.size()) return false;
    for (size_t i = 0; i < columns.size(); ++i)
      if (columns[i].says_something() && !columns[i].fits(found[i])) return false;
    return true;
  };
  return fits(split_lines(line, separator)) || fits(Parser(separator, Quotes::strict).parse(line));
}

// The first row of which a cell in quotes spans lines that are rows by themselves, so that a text which merely begins
// with a quote took them in. Null: none does, as far as labels or numbers beside the texts tell.
const TableRow* swallowing_row(const Cells& cells, std::string_view text, char separator) {
  constexpr size_t kInFive = 4;  // of five lines that look like rows
  if (separator == kNoSeparator || std::ranges::none_of(cells.rows, spans_lines)) return nullptr;
  const std::vector<Likeness> columns = likenesses(cells.rows);
  if (columns.size() < 2 || std::ranges::none_of(columns, &Likeness::says_something))
    return nullptr;
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
  }
  for (size_t r = 0; r < cells.rows.size(); ++r) {
    if (!spans_lines(cells.rows[r])) continue;
    const size_t begin = cells.rows[r].place - 1,
                 end = r + 1 < cells.rows.size() ? cells.rows[r + 1].place - 1 : lines.size();
    size_t looked = 0, rows = 0;
    for (size_t i = begin; i < end; ++i) {
      if (strip(lines[i]).empty()) continue;
      ++looked;
      rows += is_row(lines[i], separator, columns) ? 1 : 0;
    }
    if (looked > 1 && rows * 5 >= looked * kInFive) return &cells.rows[r];
  }
  return nullptr;
}

// A cell in quotes as a whole, in which all others are doubled.
bool is_quoted(std::string_view cell) {
  if (cell.size() < 2 || !cell.starts_with('"') || !cell.ends_with('"')) return false;
  cell = cell.substr(1, cell.size() - 2);
  for (size_t at = 0; (at = cell.find('"', at)) != std::string_view::npos; at += 2)
    if (!cell.substr(at).starts_with("\"\"")) return false;
  return true;
}

// Takes the quotes off cells that a spreadsheet or a program put them around, where other quotes of the file are
// letters: cells with doubled quotes in them, and all of a column that is quoted nearly everywhere.
void take_quotes_off(Cells* cells, DataTable* table) {
  constexpr double kNearlyAll = 0.9;
  std::vector<size_t> quoted(cells->rows.front().cells.size());
  for (const TableRow& row : cells->rows)
    for (size_t i = 0; i < std::min(quoted.size(), row.cells.size()); ++i)
      quoted[i] += is_quoted(row.cells[i]) ? 1 : 0;
  size_t off = 0;
  uint64_t first = 0;
  for (TableRow& row : cells->rows)
    for (size_t i = 0; i < row.cells.size(); ++i) {
      std::string& cell = row.cells[i];
      if (!is_quoted(cell)) continue;
      const std::string inside = cell.substr(1, cell.size() - 2);
      const bool all =
          i < quoted.size() &&
          static_cast<double>(quoted[i]) >= kNearlyAll * static_cast<double>(cells->rows.size());
      if (!all && inside.find('"') == std::string::npos) continue;
      cell.clear();
      for (size_t at = 0; at < inside.size(); ++at) {
        cell += inside[at];
        if (inside[at] == '"') ++at;
      }
      if (off++ == 0) first = row.place;
    }
  if (off > 0)
    table->notes.push_back(count_of(off, "cell is", "cells are") +
                           " in quotes as a whole, first in line " + std::to_string(first) +
                           ": read without them; other quotes are taken as they are");
}

// Into how many cells most rows are cut, and the share of these rows. The first row decides where it has several: a
// title may stand above the names of columns.
std::pair<size_t, double> usual_size(const std::vector<TableRow>& rows) {
  constexpr double kMost = 0.8;
  std::map<size_t, size_t> counts;
  for (const TableRow& row : rows) ++counts[row.cells.size()];
  const auto share = [&](size_t count) {
    return static_cast<double>(count) / static_cast<double>(rows.size());
  };
  const size_t first = rows.front().cells.size();
  if (first > 1) return {first, share(counts[first])};
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
  if (most->first > 1 && share(most->second) >= kMost) return {most->first, share(most->second)};
  return {1, 0};
}

// Are the commas those of sentences, a space behind each?
bool are_of_sentences(std::string_view text) {
  for (size_t at = text.find(','); at != std::string_view::npos; at = text.find(',', at + 1))
    if (at + 1 >= text.size() || text[at + 1] != ' ') return false;
  return true;
}

}  // namespace

std::vector<std::string_view> cells_between(std::string_view line, char separator) {
  std::vector<std::string_view> out;
  for (size_t end; (end = line.find(separator)) != std::string_view::npos;
       line.remove_prefix(end + 1))
    out.push_back(line.substr(0, end));
  out.push_back(line);
  return out;
}

Cells split_lines(std::string_view text, char separator) {
  Cells out;
  uint64_t line = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(end);
    text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
    ++line;
    if (row.empty()) {
      out.blank_lines.push_back(line);
      continue;
    }
    const std::vector<std::string_view> cells = cells_between(row, separator);
    out.rows.push_back({{cells.begin(), cells.end()}, line});
  }
  return out;
}

size_t filled_size(const std::vector<std::string>& cells) {
  size_t size = cells.size();
  while (size > 0 && strip(cells[size - 1]).empty()) --size;
  return size;
}

Cells parse_cells(const std::string& text, char separator, DataTable* table) {
  if (separator == '\t') {
    // Reviews hold quotes of all kinds; a spreadsheet that quotes doubles those in a cell.
    Cells quoted = Parser(separator, Quotes::strict).parse(text);
    if (text.find('"') != std::string::npos && is_even(quoted) &&
        swallowing_row(quoted, text, separator) == nullptr)
      return quoted;
    Cells lines = split_lines(text, separator);
    if (!lines.rows.empty()) take_quotes_off(&lines, table);
    return lines;
  }
  const auto check = [&](const Cells& cells) {
    if (const TableRow* row = swallowing_row(cells, text, separator))
      throw Error(table->path + ":" + std::to_string(row->place) +
                  ": found a cell that begins with a quote and would take in the rows below it, "
                  "expected \"\" for a quote in a cell and \"…\" around such a cell");
  };
  Cells strict = Parser(separator, Quotes::strict).parse(text);
  if (strict.bad_line == 0) {
    check(strict);
    return strict;
  }
  Cells lenient = Parser(separator, Quotes::lenient).parse(text);
  if (!is_even(lenient))
    throw Error(table->path + ":" + std::to_string(strict.bad_line) + ": found " + strict.problem +
                ", expected cells as RFC 4180 has them: \"…\" around a cell, and \"\" for a quote "
                "in it");
  check(lenient);
  table->notes.push_back("quotes stand in cells that are not quoted themselves, first in line " +
                         std::to_string(strict.bad_line) + ": taken as they are");
  return lenient;
}

char find_separator(const std::string& text, const std::string& path) {
  const std::string extension = extension_of(path);
  std::string candidates = ",\t;|";
  if (extension == ".tsv" || extension == ".tab") candidates = "\t,;|";
  if (extension == ".txt") candidates = "\t|";  // sentences have commas
  std::string sample = text.substr(0, kSample);
  if (const size_t end = sample.find_last_of("\r\n");
      sample.size() < text.size() && end != std::string::npos)
    sample.resize(end + 1);
  constexpr double kClear = 0.01;
  const bool sentences = are_of_sentences(sample);
  char best = kNoSeparator;
  double best_share = 0;
  for (const char candidate : candidates) {
    const Cells cells = candidate == '\t' ? split_lines(sample, candidate)
                                          : Parser(candidate, Quotes::lenient).parse(sample);
    if (cells.rows.empty()) continue;
    const auto [size, share] = usual_size(cells.rows);
    const double more = best == ',' && sentences ? -kClear : kClear;
    if (size > 1 && share > best_share + more) best = candidate, best_share = share;
  }
  return best;
}

}  // namespace minibert

// libcsv reads cells; what is decided here: the separator, whether quotes mean anything, the header.
#include "data/tables/separated.h"

#include <csv.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/tables/usual_columns.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr char kNoSeparator = '\x1f';  // one column: it stands in no text
constexpr size_t kSample = size_t{1} << 16;
constexpr size_t kQuoted = 60;  // bytes of a cell in a message

struct Cells {
  std::vector<TableRow> rows;
  uint64_t bad_line = 0;  // 0: all was read
  std::string problem = {};
};

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
      if (csv_parse(&parser_, text.data(), end, add_cell, end_row, this) != end)
        fail(line, "a quote that does not fit");
      if (cells_.empty() && parser_.pstate == 0) ended_ = true;  // a blank line
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

// Cells as they stand between separators, a row a line.
Cells split_lines(std::string_view text, char separator) {
  Cells out;
  uint64_t line = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(end);
    text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
    ++line;
    if (row.empty()) continue;
    TableRow cells{{}, line};
    for (size_t at; (at = row.find(separator)) != std::string_view::npos; row.remove_prefix(at + 1))
      cells.cells.emplace_back(row.substr(0, at));
    cells.cells.emplace_back(row);
    out.rows.push_back(std::move(cells));
  }
  return out;
}

// A cell behind the last column says nothing while it is empty.
size_t filled_size(const std::vector<std::string>& cells) {
  size_t size = cells.size();
  while (size > 0 && strip(cells[size - 1]).empty()) --size;
  return size;
}

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
    table->notes.push_back(std::to_string(off) + " cells are in quotes as a whole, first in line " +
                           std::to_string(first) +
                           ": read without them; other quotes are taken as they are");
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

// The one that cuts the rows into the same number of cells, more than one. Commas of sentences give way to another that
// does as well.
char find_separator(const std::string& text, const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
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

std::string column_name(std::string_view cell) {
  const std::string name = composed(cell);
  return std::string(strip(name));
}

// The different values of a column below the first row, where they come again and again; none of a text.
std::set<std::string_view> repeated_values(std::span<const TableRow> rows, size_t column) {
  constexpr size_t kLeast = 4;
  std::set<std::string_view> values;
  size_t filled = 0;
  for (const TableRow& row : rows.subspan(1)) {
    if (row.cells.size() <= column) continue;
    const std::string_view cell = strip(row.cells[column]);
    if (cell.empty()) continue;
    ++filled;
    values.insert(cell);
  }
  if (filled < kLeast || values.size() * 2 > filled) values.clear();
  return values;
}

// Whether a column has labels and the first row's cell is none of them: it is a name then, however long the names
// beside it are.
bool has_labels_below(std::span<const TableRow> rows, size_t column) {
  const std::set<std::string_view> values = repeated_values(rows, column);
  return !values.empty() && !values.contains(strip(rows.front().cells[column]));
}

bool are_equal(const TableRow& one, const TableRow& other) {
  const size_t width = filled_size(one.cells);
  if (width != filled_size(other.cells)) return false;
  for (size_t i = 0; i < width; ++i)
    if (strip(one.cells[i]) != strip(other.cells[i])) return false;
  return true;
}

// Whether a column has the first row's cell again, but in rows that repeat the first as a whole.
bool comes_again(std::span<const TableRow> rows, size_t column) {
  const std::string_view name = strip(rows.front().cells[column]);
  return std::ranges::any_of(rows.subspan(1), [&](const TableRow& row) {
    return row.cells.size() > column && strip(row.cells[column]) == name &&
           !are_equal(rows.front(), row);
  });
}

// How the first row is known to name the columns.
enum class Header { none, by_name, by_difference };

// Do the first row's cells name the columns? Names are all different, no numbers, and no values of
// their own columns; a single column's is one that is used as such. A form's question may be a name, too.
Header header_of(std::span<const TableRow> rows, const std::vector<std::string>& wanted) {
  const std::vector<std::string>& first = rows.front().cells;
  const size_t width = filled_size(first);
  std::set<std::string_view> names;
  for (size_t i = 0; i < width; ++i) names.insert(strip(first[i]));
  for (const std::string_view name : names)
    if (!wanted.empty() && std::ranges::find(wanted, column_name(name)) != wanted.end())
      return Header::by_name;
  if (!wanted.empty() && std::ranges::all_of(wanted, is_number)) return Header::none;
  // A label may be called as columns are: "질문" beside "답변".
  for (size_t i = 0; i < width; ++i)
    if (is_usual_column(column_name(first[i])) &&
        (!comes_again(rows, i) || repeated_values(rows, i).empty()))
      return Header::by_name;
  if (width < 2 || names.size() != width || rows.size() < 2) return Header::none;
  constexpr size_t kUsualBytes = 40, kMostCharacters = 100;
  bool is_long = false;
  for (size_t i = 0; i < width; ++i) {
    const std::string_view name = strip(first[i]);
    if (is_number(name) || to_code_points(name).size() > kMostCharacters) return Header::none;
    is_long = is_long || name.size() > kUsualBytes;
    for (size_t r = 1; r < rows.size(); ++r)
      if (rows[r].cells.size() > i && !name.empty() && strip(rows[r].cells[i]) == name)
        return Header::none;
  }
  if (!is_long) return Header::by_difference;
  for (size_t i = 0; i < width; ++i)
    if (has_labels_below(rows, i)) return Header::by_difference;
  return Header::none;
}

struct NamingRow {
  size_t index = 0;
  Header how = Header::none;  // none: there is no such row
};

// The row that names the columns: the first, or one below rows that have fewer cells filled, as a title has.
NamingRow find_header(const std::vector<TableRow>& rows, const std::vector<std::string>& wanted) {
  constexpr size_t kMostAbove = 10;
  const Header first = header_of(rows, wanted);
  size_t widest = filled_size(rows.front().cells);
  if (first != Header::none && widest > 1) return {0, first};
  for (size_t i = 1; i < rows.size() && i <= kMostAbove; ++i) {
    const size_t width = filled_size(rows[i].cells);
    if (width > 1 && width > widest)
      if (const Header how = header_of(std::span(rows).subspan(i), wanted); how != Header::none)
        return {i, how};
    widest = std::max(widest, width);
  }
  return {0, first};
}

// Whether the row below a header names the columns that cells merged above them leave empty, and these alone:
// "번호,설문,,비고" above ",문장,라벨,".
bool names_more(std::span<const TableRow> rows) {
  if (rows.size() < 2) return false;
  const std::vector<std::string>&above = rows[0].cells, &below = rows[1].cells;
  const auto cell = [](const std::vector<std::string>& cells, size_t i) {
    return i < cells.size() ? strip(cells[i]) : std::string_view();
  };
  bool more = false;
  const size_t width = std::max(filled_size(above), filled_size(below));
  for (size_t i = 0; i < width; ++i) {
    const bool merged = cell(above, i).empty() || (i + 1 < width && cell(above, i + 1).empty());
    const std::string_view name = cell(below, i);
    if (merged == name.empty()) return false;
    if (!name.empty() && (is_number(name) || comes_again(rows.subspan(1), i))) return false;
    more = more || cell(above, i).empty();
  }
  return more;
}

// The names of two such rows, the lower where there is one; of names that are the same with what stands above.
std::vector<std::string> names_of_both(const TableRow& above, const TableRow& below) {
  std::vector<std::string> out, groups;
  for (size_t i = 0; i < std::max(above.cells.size(), below.cells.size()); ++i) {
    const std::string upper = i < above.cells.size() ? column_name(above.cells[i]) : "",
                      lower = i < below.cells.size() ? column_name(below.cells[i]) : "";
    groups.push_back(!upper.empty() || groups.empty() ? upper : groups.back());
    out.push_back(lower.empty() ? upper : lower);
  }
  const std::vector<std::string> names = out;
  for (size_t i = 0; i < out.size(); ++i)
    if (std::ranges::count(names, names[i]) > 1 && !groups[i].empty() && groups[i] != names[i])
      out[i] = groups[i] + " " + names[i];
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
  const bool lines =
      separator == kNoSeparator && std::filesystem::path(table->path).extension() != ".csv";
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
                             std::to_string(first) + (first == 1 ? " row" : " rows") +
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
  size_t blank = 0, uneven = 0, repeated = 0;
  uint64_t first_repeated = 0;
  const TableRow* bad = nullptr;
  for (size_t i = first; i < cells.rows.size(); ++i) {
    TableRow& row = cells.rows[i];
    const size_t filled = filled_size(row.cells);
    if (filled == 0) {
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
    throw Error(table->where(*bad) + ": found " + std::to_string(bad->cells.size()) +
                (bad->cells.size() == 1 ? " cell" : " cells") + ", expected " +
                std::to_string(width) + " (" + joined(names) + ")" +
                (uneven > 1 ? "; so in " + std::to_string(uneven) + " rows" : "") +
                (bad->cells.size() > width && separator != kNoSeparator
                     ? "; a cell that holds a separator needs \"…\" around it"
                     : ""));
  }
  if (blank > 0) table->notes.push_back(std::to_string(blank) + " rows are empty: left out");
  if (repeated > 0)
    table->notes.push_back(std::to_string(repeated) +
                           " rows repeat the columns' names: left out (the first is line " +
                           std::to_string(first_repeated) + ")");
  if (separator == ';') read_decimal_commas(table);
}

}  // namespace minibert

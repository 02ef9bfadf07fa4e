#include "data/files/table.h"

#include <csv.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/excerpt.h"
#include "core/files.h"
#include "core/text.h"
#include "data/files/text_encoding.h"
#include "text/composed.h"

namespace minibert {
namespace {

constexpr size_t kQuotedColumns = 200;  // bytes in a message

bool is_blank(const std::vector<std::string>& cells) {
  return std::ranges::all_of(cells, [](const std::string& cell) { return trimmed(cell).empty(); });
}

// Takes the next line off a text, with its end.
std::string_view take_whole_line(std::string_view* text) {
  const size_t end = text->find('\n');
  const std::string_view line = text->substr(0, end == text->npos ? end : end + 1);
  text->remove_prefix(line.size());
  return line;
}

std::string_view without_end(std::string_view line) {
  for (const char c : {'\n', '\r'})
    if (line.ends_with(c)) line.remove_suffix(1);
  return line;
}

// Rows between commas or semicolons, by libcsv, which is given line by line as it tells of no lines.
class CsvReader {
 public:
  CsvReader(char separator, const std::string& path) : path_(path) {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0)
      throw Error("libcsv cannot be started");
    csv_set_delim(&parser_, static_cast<unsigned char>(separator));
    csv_set_space_func(&parser_, [](unsigned char c) { return c == ' ' ? 1 : 0; });
  }
  ~CsvReader() { csv_free(&parser_); }
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  // A blank line is a row of one empty cell.
  std::vector<TableRow> read(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = take_whole_line(&text);
      ++line_;
      if (ended_) begin_ = line_;
      const bool between = std::exchange(ended_, false);
      const size_t rows = rows_.size();
      if (csv_parse(&parser_, line.data(), line.size(), add_cell, end_row, this) != line.size())
        fail(
            "a quote inside a cell, expected \"…\" around the whole cell and quotes in it doubled");
      if (between && rows_.size() == rows && trimmed(line).empty()) {
        rows_.push_back({{""}, line_});
        ended_ = true;
      }
    }
    if (csv_fini(&parser_, add_cell, end_row, this) != 0) {
      line_ = begin_;
      fail("a quote that is never closed, expected one at the cell's end");
    }
    return std::move(rows_);
  }

 private:
  static void add_cell(void* cell, size_t size, void* self) {
    static_cast<CsvReader*>(self)->cells_.emplace_back(static_cast<const char*>(cell), size);
  }
  static void end_row(int, void* self) {
    auto* reader = static_cast<CsvReader*>(self);
    reader->rows_.push_back({std::exchange(reader->cells_, {}), reader->begin_});
    reader->ended_ = true;
  }
  [[noreturn]] void fail(const std::string& found) const {
    throw Error(path_ + ":" + std::to_string(line_) + ": found " + found);
  }

  const std::string& path_;
  csv_parser parser_{};
  std::vector<std::string> cells_;
  std::vector<TableRow> rows_;
  uint64_t line_ = 0, begin_ = 1;
  bool ended_ = true;
};

std::vector<TableRow> rows_between_tabs(std::string_view text) {
  std::vector<TableRow> rows;
  for (uint64_t number = 1; !text.empty(); ++number) {
    std::string_view line = without_end(take_whole_line(&text));
    TableRow& row = rows.emplace_back(TableRow{{}, number});
    for (size_t tab; (tab = line.find('\t')) != line.npos; line.remove_prefix(tab + 1))
      row.cells.emplace_back(line.substr(0, tab));
    row.cells.emplace_back(line);
  }
  return rows;
}

char separator_of(const std::string& path, std::string_view text, const std::string& named) {
  for (const auto& [name, letter] :
       {std::pair("comma", ','), std::pair("tab", '\t'), std::pair("semicolon", ';')})
    if (named == name) return letter;
  if (has_ending(path, ".tsv")) return '\t';
  const std::string_view header = text.substr(0, text.find('\n'));
  for (const char letter : {'\t', ';'})
    if (header.find(letter) != header.npos) return letter;
  return ',';
}

void name_columns(const std::vector<std::string>& names, const std::string& where,
                  FileTable* table) {
  for (const std::string& written : names) {
    const std::string name(trimmed(composed(written)));
    if (!name.empty() && std::ranges::count(table->columns, name) > 0)
      throw Error(where + ": found the column \"" + excerpt(name) +
                  "\" twice, expected different names");
    table->columns.push_back(name);
  }
}

void read_separated(std::string_view text, const TableOptions& options, FileTable* table) {
  const char separator = separator_of(table->path, text, options.separator);
  table->format = separator == '\t' ? "TSV" : "CSV";
  std::vector<TableRow> rows =
      separator == '\t' ? rows_between_tabs(text) : CsvReader(separator, table->path).read(text);
  size_t first = 0;
  if (options.header.empty()) {
    while (first < rows.size() && is_blank(rows[first].cells)) ++first;
    if (first == rows.size()) throw Error(table->path + ": is empty, expected a header");
    name_columns(rows[first].cells, table->where(rows[first]), table);
    ++first;
  } else {
    name_columns(options.header, table->path, table);
  }
  const size_t width = table->columns.size();
  for (size_t i = first; i < rows.size(); ++i) {
    TableRow& row = rows[i];
    const bool blank = is_blank(row.cells);
    if (blank && !options.keep_blank) continue;
    if (blank) row.cells.resize(width);
    if (row.cells.size() != width)
      throw Error(table->where(row) + ": found " + std::to_string(row.cells.size()) +
                  " columns, expected " + std::to_string(width) + " (" +
                  excerpt(joined(table->columns), kQuotedColumns) + ")" +
                  (separator == '\t' || row.cells.size() < width
                       ? ""
                       : "; a cell that holds a separator stands in \"…\""));
    table->rows.push_back(std::move(row));
  }
}

using nlohmann::json;

class JsonRows {
 public:
  explicit JsonRows(FileTable* table) : table_(table) {}

  void add(const json& object, uint64_t place) {
    TableRow row{std::vector<std::string>(table_->columns.size()), place};
    for (const auto& [key, value] : object.items()) {
      const auto [at, added] = index_.try_emplace(composed(key), table_->columns.size());
      if (added) {
        table_->columns.push_back(at->first);
        row.cells.emplace_back();
      }
      row.cells[at->second] = value.is_null()     ? ""
                              : value.is_string() ? value.get<std::string>()
                                                  : value.dump();
    }
    table_->rows.push_back(std::move(row));
    table_->objects.push_back(object.dump());
  }

  // Every row gets the cells of the columns that came after it.
  void finish() {
    for (TableRow& row : table_->rows) row.cells.resize(table_->columns.size());
  }

 private:
  FileTable* table_;
  std::unordered_map<std::string, size_t> index_;
};

json parsed(std::string_view text, const std::string& where, const std::string& expected) {
  try {
    return parse_json(text);
  } catch (const Error& error) {
    throw Error(where + error.what() + ", expected " + expected);
  }
}

void read_json_lines(std::string_view text, bool keep_blank, FileTable* table) {
  constexpr char kExpected[] = "one JSON object a line";
  table->format = "JSON lines";
  JsonRows rows(table);
  for (uint64_t number = 1; !text.empty(); ++number) {
    const std::string_view line = trimmed(take_whole_line(&text));
    if (line.empty() && !keep_blank) continue;
    const std::string where = table->path + ":" + std::to_string(number) + ": ";
    const json object = line.empty() ? json::object() : parsed(line, where, kExpected);
    if (!object.is_object())
      throw Error(where + "found " + object.type_name() + ", expected " + kExpected);
    rows.add(object, number);
  }
  rows.finish();
}

void read_json_array(std::string_view text, FileTable* table) {
  table->format = "JSON";
  const std::string expected =
      "a list of objects, as [{\"text\": \"…\", \"label\": \"…\"}] (JSON lines are called .jsonl)";
  const json list = parsed(text, table->path + ": ", expected);
  if (!list.is_array() ||
      !std::ranges::all_of(list, [](const json& one) { return one.is_object(); }))
    throw Error(table->path + ": found " +
                (list.is_array() ? "a list of other values" : list.type_name()) + ", expected " +
                expected);
  JsonRows rows(table);
  for (size_t i = 0; i < list.size(); ++i) rows.add(list[i], i);
  rows.finish();
}

}  // namespace

std::string FileTable::where(const TableRow& row) const {
  return format == "JSON" ? path + ": [" + std::to_string(row.place) + "]"
                          : path + ":" + std::to_string(row.place);
}

size_t FileTable::column(const std::string& name) const {
  const auto found = std::ranges::find(columns, composed(name));
  if (found != columns.end()) return static_cast<size_t>(found - columns.begin());
  throw usage_error(path + ": found the columns " + excerpt(joined(columns), kQuotedColumns) +
                    ", expected one named \"" + name + "\"" + did_you_mean(name, columns));
}

std::string FileTable::described() const {
  return path + ": " + format + " in " + encoding + ", " + count_of(rows.size(), "row", "rows");
}

FileTable read_table(const std::string& path, const TableOptions& options) {
  const DecodedText decoded = read_decoded(path);
  FileTable table;
  table.path = path;
  table.encoding = decoded.encoding;
  if (is_json_lines(path))
    read_json_lines(decoded.text, options.keep_blank, &table);
  else if (is_json(path))
    read_json_array(decoded.text, &table);
  else
    read_separated(decoded.text, options, &table);
  if (table.rows.empty()) throw Error(path + ": has no rows, expected some");
  return table;
}

bool has_ending(const std::string& path, std::string_view ending) {
  const std::string last = extension_of(path);
  const bool packed = last == ".gz" || last == ".zst";
  return (packed ? extension_of(std::filesystem::path(path).stem().string()) : last) == ending;
}

bool is_json_lines(const std::string& path) {
  return has_ending(path, ".jsonl") || has_ending(path, ".ndjson");
}

bool is_json(const std::string& path) { return is_json_lines(path) || has_ending(path, ".json"); }

}  // namespace minibert

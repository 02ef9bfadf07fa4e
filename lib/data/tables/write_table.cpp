#include "data/tables/write_table.h"

#include <csv.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "data/tables/json_rows.h"
#include "text/byte_source.h"

namespace minibert {
namespace {

using TextRow = std::vector<std::string>;

void append_cell(const std::string& cell, char separator, std::string* out) {
  const std::string special = std::string("\"\r\n") + separator;
  const bool spaced = !cell.empty() && (cell.front() == ' ' || cell.back() == ' ');
  if (cell.find_first_of(special) == std::string::npos && !spaced) {
    *out += cell;
    return;
  }
  std::string quoted(2 * cell.size() + 2, '\0');
  quoted.resize(csv_write(quoted.data(), quoted.size(), cell.data(), cell.size()));
  *out += quoted;
}

std::string separated(const TextRow& columns, const std::vector<TextRow>& rows, char separator) {
  std::string out;
  const auto append = [&](const TextRow& cells) {
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) out += separator;
      append_cell(cells[i], separator, &out);
    }
    out += "\n";
  };
  append(columns);
  for (const TextRow& row : rows) append(row);
  return out;
}

std::string json_lines(const TextRow& columns, const std::vector<TextRow>& rows) {
  std::string out;
  for (const TextRow& row : rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (size_t i = 0; i < columns.size(); ++i) object[columns[i]] = row[i];
    out += object.dump() + "\n";
  }
  return out;
}

}  // namespace

void write_objects(const std::string& path, const std::vector<std::string>& objects,
                   const TextRow& columns, const std::vector<TextRow>& rows) {
  std::string out;
  for (size_t r = 0; r < objects.size(); ++r) {
    auto object = nlohmann::ordered_json::parse(objects[r]);
    for (size_t i = 0; i < columns.size(); ++i) object[columns[i]] = rows[r][i];
    out += object.dump() + "\n";
  }
  write_file_atomically(path, out);
}

void check_table_path(const std::string& path) {
  const std::string extension = extension_of(path);
  static constexpr std::string_view kOthers[] = {".xlsx", ".xls", ".ods",  ".hwp",    ".hwpx",
                                                 ".docx", ".pdf", ".json", ".gz",     ".zst",
                                                 ".bz2",  ".xz",  ".zip",  ".parquet"};
  if (std::ranges::find(kOthers, extension) != std::end(kOthers))
    throw usage_error(path + ": found the ending " + extension +
                      ", expected .csv, .tsv or .jsonl: no other table is written");
}

void write_table(const std::string& path, const TextRow& columns,
                 const std::vector<TextRow>& rows) {
  check_table_path(path);
  write_file_atomically(path, is_json_lines(path) ? json_lines(columns, rows)
                              : extension_of(path) == ".tsv"
                                  ? separated(columns, rows, '\t')
                                  : kByteOrderMark + separated(columns, rows, ','));
}

}  // namespace minibert

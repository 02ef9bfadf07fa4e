#include "data/tables/write_table.h"

#include <csv.h>

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

using Json = nlohmann::ordered_json;

Json value_of(const std::string& cell, bool is_json) {
  if (!is_json) return cell;
  if (cell.empty()) return nullptr;
  Json value = Json::parse(cell, nullptr, false);
  // Not a number is none of JSON, and stands as it is written.
  return value.is_discarded() ? Json(cell) : value;
}

void add_cells(const TextRow& columns, const TextRow& cells, const JsonColumns& json,
               Json* object) {
  for (size_t i = 0; i < columns.size(); ++i)
    (*object)[columns[i]] = value_of(cells[i], json.contains(i));
}

std::string json_lines(const TextRow& columns, const std::vector<TextRow>& rows,
                       const JsonColumns& json) {
  std::string out;
  for (const TextRow& row : rows) {
    Json object = Json::object();
    add_cells(columns, row, json, &object);
    out += object.dump() + "\n";
  }
  return out;
}

}  // namespace

void write_objects(const std::string& path, const std::vector<std::string>& objects,
                   const TextRow& columns, const std::vector<TextRow>& rows,
                   const JsonColumns& json) {
  std::string out;
  for (size_t r = 0; r < objects.size(); ++r) {
    Json object = Json::parse(objects[r]);
    add_cells(columns, rows[r], json, &object);
    out += object.dump() + "\n";
  }
  write_file_atomically(path, out);
}

void check_table_path(const std::string& path) {
  const std::string extension = extension_of(path);
  for (const char* written : {".csv", ".tsv", ".jsonl", ".ndjson"})
    if (extension == written) return;
  throw usage_error(path + ": found " +
                    (extension.empty() ? "no ending" : "the ending " + extension) +
                    ", expected .csv, .tsv or .jsonl: no other table is written");
}

void write_table(const std::string& path, const TextRow& columns, const std::vector<TextRow>& rows,
                 const JsonColumns& json) {
  check_table_path(path);
  write_file_atomically(path, is_json_lines(path) ? json_lines(columns, rows, json)
                              : extension_of(path) == ".tsv"
                                  ? separated(columns, rows, '\t')
                                  : kByteOrderMark + separated(columns, rows, ','));
}

}  // namespace minibert

#include "data/files/write_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "data/files/table.h"
#include "text/byte_source.h"

namespace minibert {
namespace {

using TextRow = std::vector<std::string>;
using Json = nlohmann::ordered_json;

std::string without_breaks(std::string cell) {
  std::ranges::replace_if(
      cell, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return cell;
}

std::string line_of(const TextRow& cells, bool tabs) {
  std::string out;
  for (size_t i = 0; i < cells.size(); ++i)
    out += (i == 0 ? ""
            : tabs ? "\t"
                   : ",") +
           (tabs ? without_breaks(cells[i]) : csv_field(cells[i]));
  return out + "\n";
}

Json value_of(const std::string& cell, bool is_json) {
  if (!is_json) return cell;
  if (cell.empty()) return nullptr;
  Json value = Json::parse(cell, nullptr, false);
  // Not a number is none of JSON, and stands as it is written.
  return value.is_discarded() ? Json(cell) : value;
}

}  // namespace

void check_table_path(const std::string& path) {
  const std::string extension = extension_of(path);
  for (const char* written : {".csv", ".tsv", ".jsonl", ".ndjson"})
    if (extension == written) return;
  throw usage_error(path + ": found " +
                    (extension.empty() ? "no ending" : "the ending " + extension) +
                    ", expected .csv, .tsv or .jsonl: no other table is written");
}

void write_table(const std::string& path, const TextRow& columns, const std::vector<TextRow>& rows,
                 const JsonColumns& json, const TextRow& objects) {
  check_table_path(path);
  std::string out;
  if (is_json_lines(path)) {
    for (size_t r = 0; r < rows.size(); ++r) {
      Json object = objects.empty() ? Json::object() : Json::parse(objects[r]);
      for (size_t i = 0; i < columns.size(); ++i)
        object[columns[i]] = value_of(rows[r][i], json.contains(i));
      out += object.dump() + "\n";
    }
  } else {
    const bool tabs = extension_of(path) == ".tsv";
    if (!tabs) out = kByteOrderMark;
    out += line_of(columns, tabs);
    for (const TextRow& row : rows) out += line_of(row, tabs);
  }
  write_file_atomically(path, out);
}

}  // namespace minibert

#include "data/tables/table.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/hidden_files.h"
#include "data/tables/json_rows.h"
#include "data/tables/separated.h"
#include "data/tables/text_encoding.h"
#include "text/python_text.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> visible(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (!is_hidden(entry.path().filename().string())) out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

void read_folders(DataTable* table) {
  table->format = "folders";
  table->header = false;
  table->columns = {"text", "label", "file"};
  size_t blank = 0;
  for (const fs::path& label : visible(table->path)) {
    if (!fs::is_directory(label)) continue;
    for (const fs::path& file : visible(label)) {
      if (!fs::is_regular_file(file)) continue;
      DecodedText text = read_decoded(file.string());
      table->encoding = text.encoding;
      if (strip(text.text).empty())
        ++blank;
      else
        table->rows.push_back(
            {{std::move(text.text), label.filename().string(), file.string()}, table->rows.size()});
    }
  }
  if (table->rows.empty())
    throw Error(table->path +
                ": found no texts, expected a folder for every label with files in it");
  if (blank > 0) table->notes.push_back(std::to_string(blank) + " files are empty: left out");
}

}  // namespace

std::string DataTable::where(const TableRow& row) const {
  if (format == "folders") return row.cells[2];
  if (format == "JSON") return path + ": [" + std::to_string(row.place) + "]";
  return path + ":" + std::to_string(row.place);
}

size_t DataTable::column(const std::string& name) const {
  const auto found = std::ranges::find(columns, name);
  if (found != columns.end()) return static_cast<size_t>(found - columns.begin());
  constexpr size_t kQuoted = 60;
  std::vector<std::string> shown;
  for (const std::string& one : columns) shown.push_back(clipped(one, kQuoted));
  const std::string near = nearest(name, columns);
  throw usage_error(path + ": found the columns " + joined(shown) + ", expected one named \"" +
                    name + "\"" + (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
}

DataTable read_table(const std::string& path, const TableOptions& options) {
  DataTable table;
  table.path = path;
  if (fs::is_directory(path)) {
    read_folders(&table);
    return table;
  }
  DecodedText text = read_decoded(path);
  table.encoding = text.encoding;
  if (strip(text.text).empty()) throw Error(path + ": is empty, expected rows");
  if (!read_json_rows(text.text, &table)) read_separated(text.text, options, &table);
  if (table.rows.empty()) throw Error(path + ": has no rows, expected labelled texts");
  return table;
}

bool is_missing_mark(std::string_view cell) {
  static constexpr std::string_view kMarks[] = {"NA",  "N/A", "n/a",  "#N/A", "#NA",
                                                "NaN", "nan", "NULL", "null", "<NA>"};
  return std::ranges::find(kMarks, strip(cell)) != std::end(kMarks);
}

bool is_number(std::string_view cell) {
  const std::string_view bare = strip(cell);
  double value = 0;
  const auto [end, error] = std::from_chars(bare.data(), bare.data() + bare.size(), value);
  return error == std::errc() && end == bare.data() + bare.size();
}

}  // namespace minibert

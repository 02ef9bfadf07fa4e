#include "data/tables/read_table.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "core/hidden_files.h"
#include "core/text.h"
#include "data/tables/json_rows.h"
#include "data/tables/separated.h"
#include "text/composed.h"
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

// Of a folder and all below it.
size_t files_in(const fs::path& folder) {
  size_t count = 0;
  for (const fs::path& path : visible(folder))
    count += fs::is_directory(path) ? files_in(path) : fs::is_regular_file(path) ? 1 : 0;
  return count;
}

DataTable table_of_folders(const std::string& path) {
  DataTable table;
  table.path = path;
  table.format = "folders";
  table.header = false;
  table.columns = {"text", "label", "file"};
  size_t blank = 0, beside = 0, below = 0;
  std::set<std::string> encodings;
  for (const fs::path& label : visible(table.path)) {
    if (!fs::is_directory(label)) {
      ++beside;
      continue;
    }
    for (const fs::path& file : visible(label)) {
      if (fs::is_directory(file)) below += files_in(file);
      if (!fs::is_regular_file(file)) continue;
      DecodedText text = read_decoded(file.string(), Markup::is_text);
      encodings.insert(text.encoding);
      if (strip(text.text).empty())
        ++blank;
      else
        table.rows.push_back(
            {{std::move(text.text), composed(label.filename().string()), file.string()},
             table.rows.size()});
    }
  }
  if (table.rows.empty())
    throw Error(
        table.path + ": found no texts, expected a folder for every label with files in it" +
        (below > 0
             ? "; " + count_of(below, "file stands", "files stand") + " in folders further down"
             : ""));
  table.encoding = joined({encodings.begin(), encodings.end()}, " and ");
  if (beside > 0)
    table.notes.push_back(count_of(beside, "file stands", "files stand") +
                          " beside the labels' folders: left out");
  if (below > 0)
    table.notes.push_back(count_of(below, "file stands", "files stand") +
                          " in folders within the labels' folders: left out");
  if (blank > 0)
    table.notes.push_back(count_of(blank, "file is", "files are") + " empty: left out");
  return table;
}

}  // namespace

DataTable read_table(const std::string& path, const TableOptions& options) {
  if (fs::is_directory(path)) return table_of_folders(path);
  return table_of(read_decoded(path), path, options);
}

DataTable table_of(const DecodedText& text, const std::string& path, const TableOptions& options) {
  DataTable table;
  table.path = path;
  table.encoding = text.encoding;
  table.keeps_objects = options.keep_objects;
  table.rewritten = options.rewritten;
  if (strip(text.text).empty()) throw Error(path + ": is empty, expected rows");
  if (!read_json_rows(text.text, &table)) read_separated(text.text, options, &table);
  const bool named = table.header && table.is_separated();
  if (table.rows.empty())
    throw Error(path + ": has no rows" + (named ? " below its columns' names" : "") +
                ", expected some");
  return table;
}

}  // namespace minibert

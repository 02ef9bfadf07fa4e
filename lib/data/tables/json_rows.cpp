#include "data/tables/json_rows.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <unordered_map>

#include "core/error.h"
#include "core/files.h"
#include "text/python_text.h"

namespace minibert {
namespace {

using nlohmann::json;

std::string cell_of(const json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.dump();
}

class Rows {
 public:
  explicit Rows(DataTable* table) : table_(table) {}

  void add(const json& object, uint64_t place) {
    TableRow row{std::vector<std::string>(table_->columns.size()), place};
    flatten(object, "", false, &row);
    const bool filled = std::ranges::any_of(
        row.cells, [](const std::string& cell) { return !strip(cell).empty(); });
    if (filled)
      table_->rows.push_back(std::move(row));
    else
      ++blank_;
  }

  // Every row gets the cells of the columns that came after it.
  void finish() {
    for (TableRow& row : table_->rows) row.cells.resize(table_->columns.size());
    if (blank_ > 0) table_->notes.push_back(std::to_string(blank_) + " rows are empty: left out");
  }

 private:
  // A list of one object is that object, and in it a list of one value that value, as annotation tools
  // write them; `listed`: in such a list.
  void flatten(const json& object, const std::string& prefix, bool listed, TableRow* row) {
    for (const auto& [key, given] : object.items()) {
      const bool single = given.is_array() && given.size() == 1;
      const bool list_of_one = single && (given[0].is_object() || (listed && !given[0].is_array()));
      const json& value = list_of_one ? given[0] : given;
      if (value.is_object()) {
        flatten(value, prefix + key + ".", listed || list_of_one, row);
        continue;
      }
      const auto [found, added] = index_.try_emplace(prefix + key, table_->columns.size());
      if (added) table_->columns.push_back(found->first);
      row->cells.resize(table_->columns.size());
      row->cells[found->second] = cell_of(value);
    }
  }

  DataTable* table_;
  std::unordered_map<std::string, size_t> index_;
  size_t blank_ = 0;
};

// The objects of a document: it is a list of them, or has one such list.
const json* list_of(const json& document) {
  const auto is_list = [](const json& value) {
    return value.is_array() && !value.empty() &&
           std::ranges::all_of(value, [](const json& one) { return one.is_object(); });
  };
  if (is_list(document)) return &document;
  if (!document.is_object()) return nullptr;
  const json* found = nullptr;
  for (const auto& [key, value] : document.items())
    if (is_list(value)) {
      if (found != nullptr) return nullptr;
      found = &value;
    }
  return found;
}

bool read_lines(std::string_view text, bool must, DataTable* table) {
  Rows rows(table);
  uint64_t line = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view one = strip(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    if (one.empty()) continue;
    json object;
    try {
      object = parse_json(one);
    } catch (const Error& error) {
      if (!must && line == 1) return false;
      throw Error(table->path + ":" + std::to_string(line) + ": " + error.what() +
                  ", expected one JSON object a line");
    }
    if (!object.is_object()) {
      if (!must && line == 1) return false;
      throw Error(table->path + ":" + std::to_string(line) + ": found " + object.type_name() +
                  ", expected one JSON object a line");
    }
    rows.add(object, line);
  }
  rows.finish();
  table->format = "JSON lines";
  return true;
}

}  // namespace

bool is_json_lines(const std::string& path) {
  std::filesystem::path name(path);
  for (const char* packed : {".gz", ".zst", ".bz2"})
    if (name.extension() == packed) name = name.stem();
  return name.extension() == ".jsonl" || name.extension() == ".ndjson";
}

bool holds_questions(const json& document) {
  const json* articles = &document;
  if (document.is_object()) {
    if (!document.contains("data")) return false;
    articles = &document.at("data");
  }
  return articles->is_array() && !articles->empty() && articles->front().is_object() &&
         (articles->front().contains("paragraphs") || articles->front().contains("qas"));
}

bool read_json_rows(const std::string& text, DataTable* table) {
  const std::string_view bare = strip(text);
  const std::string& path = table->path;
  const bool lines = is_json_lines(path);
  const bool named = lines || path.find(".json") != std::string::npos;
  if (!named && !bare.starts_with('[') && !bare.starts_with('{')) return false;
  if (lines) return read_lines(text, true, table);
  json document;
  try {
    document = parse_json(bare);
  } catch (const Error& error) {
    if (bare.starts_with('{') && read_lines(text, false, table)) return true;
    if (!named) return false;
    throw Error(path + ": " + error.what());
  }
  if (holds_questions(document))
    throw usage_error(path +
                      ": found questions as SQuAD has them, expected rows of labelled texts");
  const json* list = list_of(document);
  if (list == nullptr) {
    if (!named) return false;
    throw Error(path + ": found JSON without a list of objects, expected one object a row");
  }
  Rows rows(table);
  for (size_t i = 0; i < list->size(); ++i) rows.add((*list)[i], i);
  rows.finish();
  table->format = "JSON";
  return true;
}

}  // namespace minibert

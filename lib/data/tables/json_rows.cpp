#include "data/tables/json_rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "data/tables/usual_columns.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

using nlohmann::json;

std::string cell_of(const json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.dump();
}

// What Label Studio's shorter exports have in a label's place where a text has several: {"choices": ["기쁨", "분노"]}.
bool holds_choices(const json& value) {
  return value.is_object() && value.size() == 1 && value.contains("choices") &&
         value["choices"].is_array();
}

// A marked part of a text, as doccano and Label Studio write names: where it stands, and its label.
bool is_marked_part(const json& value) {
  const auto has = [&](const char* key) { return value.contains(key); };
  return value.is_object() && (has("label") || has("labels")) &&
         ((has("start") && has("end")) || (has("start_offset") && has("end_offset")));
}

class Rows {
 public:
  explicit Rows(DataTable* table) : table_(table) {}

  // Null is an empty row.
  void add(const json& object, uint64_t place) {
    TableRow row{std::vector<std::string>(table_->columns.size()), place};
    if (object.is_null()) {
      ++blank_;
      return;
    }
    flatten(object, "", false, &row);
    check_width(row);
    const bool filled = std::ranges::any_of(
        row.cells, [](const std::string& cell) { return !strip(cell).empty(); });
    if (!filled && !table_->rewritten) {
      ++blank_;
      return;
    }
    table_->rows.push_back(std::move(row));
    if (table_->keeps_objects) table_->objects.push_back(object.dump());
  }

  // Every row gets the cells of the columns that came after it.
  void finish() {
    for (TableRow& row : table_->rows) row.cells.resize(table_->columns.size());
    if (blank_ > 0)
      table_->notes.push_back(count_of(blank_, "row is", "rows are") + " empty: left out");
  }

 private:
  // A list of one object is that object, and in it a list of one value that value, as annotation tools
  // write them; `listed`: in such a list. A part of the text that is marked stays in its list, as several do.
  void flatten(const json& object, const std::string& prefix, bool listed, TableRow* row) {
    for (const auto& [key, given] : object.items()) {
      const bool single = given.is_array() && given.size() == 1;
      const bool list_of_one = single && !is_marked_part(given[0]) &&
                               (given[0].is_object() || (listed && !given[0].is_array()));
      const bool choices = !listed && holds_choices(given);
      const json& value = choices ? given["choices"] : list_of_one ? given[0] : given;
      if (value.is_object()) {
        flatten(value, prefix + key + ".", listed || list_of_one, row);
        continue;
      }
      const size_t column = column_of(prefix + key);
      row->cells.resize(table_->columns.size());
      row->cells[column] = cell_of(value);
      ++cells_;
    }
  }

  size_t column_of(const std::string& written) {
    if (const auto found = index_.find(written); found != index_.end()) return found->second;
    const std::string name = composed(written);
    const auto [found, added] = index_.try_emplace(name, table_->columns.size());
    if (added) table_->columns.push_back(name);
    const size_t column = found->second;
    index_.emplace(written, column);
    return column;
  }

  // Objects that each have keys of their own are no rows, and as a table would be mostly empty cells.
  void check_width(const TableRow& row) {
    constexpr size_t kMostColumns = 1000, kSparse = 10;
    const size_t rows = ++read_, columns = table_->columns.size();
    if (columns > kMostColumns && cells_ * kSparse < rows * columns)
      throw Error(table_->where(row) + ": found " + std::to_string(columns) +
                  " different keys in " + count_of(rows, "object", "objects") +
                  ", expected the same keys in each (\"text\", \"label\", …)");
  }

  DataTable* table_;
  std::unordered_map<std::string, size_t> index_;  // as they are written, too
  size_t blank_ = 0;
  size_t read_ = 0, cells_ = 0;
};

// A list of objects, between which null may stand.
bool is_list(const json& value) {
  return value.is_array() &&
         std::ranges::any_of(value, [](const json& one) { return one.is_object(); }) &&
         std::ranges::all_of(value,
                             [](const json& one) { return one.is_object() || one.is_null(); });
}

// The objects of a document: it is a list of them, or has one such list.
const json* list_of(const json& document) {
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

// The same where the list stands in objects within the document: {"quiz": {"questions": [{…}]}}.
const json* list_within(const json& document) {
  if (!document.is_object()) return nullptr;
  const json* found = nullptr;
  for (const auto& [key, value] : document.items()) {
    if (!value.is_object()) continue;
    const json* list = list_of(value);
    if (list == nullptr) list = list_within(value);
    if (list == nullptr) continue;
    if (found != nullptr) return nullptr;
    found = list;
  }
  return found;
}

// Has it a text or a question, by the names of its keys? A title is of what stands below it, too, and a list of
// objects is none, whatever it is called.
bool has_text(const json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items())
    if (!is_called(key, usual_title_columns()) && !is_list(value)) keys.push_back(key);
  return std::ranges::any_of(
      std::array{usual_text_columns(), usual_asked_columns(), usual_first_columns()},
      [&](const auto& usual) { return !usual_among(usual, keys).empty(); });
}

// So many objects tell whether they are rows.
constexpr size_t kObjectsLooked = 1000;

struct Opened {
  std::string key = {};
  json rows = json::array();
  std::vector<size_t> of = {};  // which object of the list each row stood in
  size_t without = 0;           // objects that hold no rows

  std::string told() const {
    return "its rows are the objects in \"" + key + "\"" +
           (without == 0
                ? ""
                : "; " + count_of(without, "object has", "objects have") + " none: left out");
  }
};

// Appends the rows that an object has under a key; a single object is a list of one. False: they are no objects.
bool append_rows(const json& object, size_t index, Opened* out) {
  const auto held = object.is_object() ? object.find(out->key) : object.end();
  const size_t before = out->rows.size();
  if (held != object.end() && held->is_structured())
    for (const json& row : held->is_object() ? json::array({*held}) : *held) {
      if (row.is_null()) continue;
      if (!row.is_object()) return false;
      out->rows.push_back(row);
      out->of.push_back(index);
      for (const auto& [beside, value] : object.items())
        if (beside != out->key && !row.contains(beside)) out->rows.back()[beside] = value;
    }
  if (out->rows.size() == before) ++out->without;
  return true;
}

// The rows that the objects of a list hold in lists of their own: {"unit": "1", "questions": [{…}, {…}]}.
// Each row gets what stands beside its list, but for keys that it has itself. Nothing where most of the objects
// are rows, by a text of theirs, or where several of their lists could be the rows.
std::optional<Opened> opened(const json& list) {
  const size_t stride = std::max<size_t>(1, list.size() / kObjectsLooked);
  size_t looked = 0, texts = 0;
  for (size_t i = 0; i < list.size(); i += stride) {
    ++looked;
    texts += has_text(list[i]) ? 1 : 0;
  }
  if (texts * 2 > looked) return std::nullopt;
  std::set<std::string> keys;
  for (const json& object : list)
    if (object.is_object())
      for (const auto& [key, value] : object.items())
        if (is_list(value)) keys.insert(key);
  std::optional<Opened> out;
  for (const std::string& key : keys) {
    Opened one{key};
    for (size_t i = 0; i < list.size(); ++i)
      if (!append_rows(list[i], i, &one)) return std::nullopt;
    std::optional<Opened> found;
    // A list of one object in each is that object, as annotation tools write it.
    if (one.rows.size() > list.size() - one.without && std::ranges::any_of(one.rows, has_text)) {
      found = std::move(one);
    } else {
      found = opened(one.rows);
      if (!found) continue;
      found->without += one.without;
      for (size_t& index : found->of) index = one.of[index];
    }
    if (out) return std::nullopt;
    out = std::move(found);
  }
  return out;
}

// A column's or row's number, as pandas names them; -1: another name.
int64_t number_of(const std::string& key) {
  int64_t number = -1;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), number);
  return error == std::errc() && end == key.data() + key.size() ? number : -1;
}

bool are_numbered(const json& object) {
  return std::ranges::all_of(object.items(),
                             [](const auto& item) { return number_of(item.key()) >= 0; });
}

// Rows that are lists of cells, below the names of their columns.
json rows_of_split(const json& columns, const json& data) {
  if (!columns.is_array() || !data.is_array()) return nullptr;
  json out = json::array();
  for (const json& cells : data) {
    if (!cells.is_array() || cells.size() != columns.size()) return nullptr;
    json row = json::object();
    for (size_t i = 0; i < cells.size(); ++i) {
      if (!columns[i].is_string()) return nullptr;
      row[columns[i].get<std::string>()] = cells[i];
    }
    out.push_back(std::move(row));
  }
  return out;
}

// The rows of an object of columns or of rows, as pandas' to_json writes them: {"text": {"0": …}},
// {"0": {"text": …}}, {"text": […], "label": […]}, {"columns": […], "data": [[…], …]}. Null: it is another object.
json rows_of_frame(const json& document) {
  if (!document.is_object() || document.empty()) return nullptr;
  if (document.contains("columns") && document.contains("data"))
    return rows_of_split(document.at("columns"), document.at("data"));
  const json& first = document.front();
  std::map<int64_t, json> rows;
  const bool by_row = are_numbered(document);
  for (const auto& [key, value] : document.items()) {
    if (value.type() != first.type() || value.size() != first.size()) return nullptr;
    if (value.is_array() && document.size() > 1) {
      for (size_t i = 0; i < value.size(); ++i) {
        if (value[i].is_object()) return nullptr;
        rows[static_cast<int64_t>(i)][key] = value[i];
      }
    } else if (value.is_object() && by_row) {
      rows[number_of(key)] = value;
    } else if (value.is_object() && are_numbered(value)) {
      for (const auto& [row, cell] : value.items()) rows[number_of(row)][key] = cell;
    } else {
      return nullptr;
    }
  }
  json out = json::array();
  for (auto& [number, row] : rows) out.push_back(std::move(row));
  return out;
}

// The names of the lists of objects in an object, where it has several.
std::vector<std::string> several_lists(const json& document) {
  std::vector<std::string> out;
  if (document.is_object())
    for (const auto& [key, value] : document.items())
      if (value.is_array() && !value.empty() && value.front().is_object()) out.push_back(key);
  return out;
}

// Objects of lines go to the rows one by one, or are kept while they can hold lists of rows, which no text of theirs
// and a list of objects say.
class ObjectLines {
 public:
  explicit ObjectLines(DataTable* table) : table_(table), rows_(table) {}

  void add(json object, uint64_t line) {
    if (are_rows_) return rows_.add(object, line);
    const bool text = lines_.size() < kObjectsLooked && has_text(object);
    lists_ = lists_ || std::ranges::any_of(object, is_list);
    kept_.push_back(std::move(object));
    lines_.push_back(line);
    if (text || (!lists_ && lines_.size() == kObjectsLooked)) add_kept();
  }

  void finish() {
    if (const std::optional<Opened> below = are_rows_ ? std::nullopt : opened(kept_)) {
      table_->notes.push_back(below->told());
      for (size_t i = 0; i < below->rows.size(); ++i)
        rows_.add(below->rows[i], lines_[below->of[i]]);
    } else {
      add_kept();
    }
    rows_.finish();
  }

 private:
  void add_kept() {
    for (size_t i = 0; i < lines_.size(); ++i) rows_.add(kept_[i], lines_[i]);
    kept_.clear();
    lines_.clear();
    are_rows_ = true;
  }

  DataTable* table_;
  Rows rows_;
  json kept_ = json::array();
  std::vector<uint64_t> lines_;
  bool are_rows_ = false, lists_ = false;
};

// Throws Error where NaN or an infinity stands outside of strings, which Python writes and JSON has not. `line`: where
// the text begins.
void refuse_not_a_number(std::string_view text, const std::string& path, uint64_t line) {
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    line += c == '\n' ? 1 : 0;
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    for (const char* word : {"NaN", "Infinity"})
      if (text.substr(i).starts_with(word))
        throw Error(path + ":" + std::to_string(line) + ": found " + word +
                    ", which JSON has not, expected a number or null; Python's json.dump writes it "
                    "unless it gets allow_nan=False, and null for None");
  }
}

bool read_lines(std::string_view text, bool must, DataTable* table) {
  ObjectLines lines(table);
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
      refuse_not_a_number(one, table->path, line);
      throw Error(table->path + ":" + std::to_string(line) + ": " + error.what() +
                  ", expected one JSON object a line");
    }
    if (!object.is_object()) {
      if (!must && line == 1) return false;
      throw Error(table->path + ":" + std::to_string(line) + ": found " + object.type_name() +
                  ", expected one JSON object a line");
    }
    table->format = "JSON lines";
    lines.add(std::move(object), line);
  }
  lines.finish();
  return true;
}

// Of "a.JSON.gz" it is ".json".
std::string unpacked_extension(const std::string& path) {
  const std::string extension = extension_of(path);
  const bool packed = extension == ".gz" || extension == ".zst" || extension == ".bz2";
  return packed ? extension_of(std::filesystem::path(path).stem().string()) : extension;
}

}  // namespace

bool is_json_lines(const std::string& path) {
  const std::string extension = unpacked_extension(path);
  return extension == ".jsonl" || extension == ".ndjson";
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
  const bool named = lines || unpacked_extension(path) == ".json";
  if (!named && !bare.starts_with('[') && !bare.starts_with('{')) return false;
  if (lines && !bare.starts_with('[')) return read_lines(text, true, table);
  json document;
  try {
    document = parse_json(bare);
  } catch (const Error& error) {
    if (lines) return read_lines(text, true, table);
    if (bare.starts_with('{') && read_lines(text, false, table)) return true;
    if (!named) return false;
    refuse_not_a_number(text, path, 1);
    throw Error(path + ": " + error.what());
  }
  if (lines && !is_list(document)) return read_lines(text, true, table);
  if (lines) table->notes.push_back("is a JSON list and no JSON lines: read as the list");
  if (holds_questions(document))
    throw usage_error(path +
                      ": found questions as SQuAD has them, expected rows of labelled texts");
  const json* list = list_of(document);
  json frame;
  if (list == nullptr) {
    frame = rows_of_frame(document);
    if (!frame.empty()) list = &frame;
  }
  if (list == nullptr && several_lists(document).size() < 2) list = list_within(document);
  if (list == nullptr) {
    if (!named) return false;
    if (const auto names = several_lists(document); names.size() > 1)
      throw Error(path + ": found several lists of objects (" + joined(names) +
                  "), expected one; each is made a file by: jq '.\"" + names.front() + "\"' '" +
                  path + "' > " + names.front() + ".json");
    throw Error(path + ": found JSON without a list of objects, expected one object a row");
  }
  const std::optional<Opened> below = opened(*list);
  if (below) {
    table->notes.push_back(below->told());
    list = &below->rows;
  }
  table->format = "JSON";
  Rows rows(table);
  for (size_t i = 0; i < list->size(); ++i) rows.add((*list)[i], i);
  rows.finish();
  return true;
}

}  // namespace minibert

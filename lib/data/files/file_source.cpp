#include "data/files/file_source.h"

#include "text/composed.h"

namespace minibert {
namespace {

using nlohmann::json;

// One string or a list of them.
std::vector<std::string> one_or_several(ConfigReader& reader, const std::string& key) {
  if (reader.has(key) && reader.raw(key).is_string()) return {reader.string(key)};
  return reader.strings(key);
}

// As tables have them.
std::vector<std::string> column_names(ConfigReader& reader, const std::string& key) {
  std::vector<std::string> out = one_or_several(reader, key);
  for (std::string& name : out) name = composed(name);
  return out;
}

std::string column_name(ConfigReader& reader, const std::string& key) {
  return composed(reader.string(key, ""));
}

void put(const std::string& key, const std::vector<std::string>& values, json* out) {
  if (values.size() == 1)
    (*out)[key] = values.front();
  else if (!values.empty())
    (*out)[key] = values;
}

// Keys of earlier versions.
void refuse_gone_keys(ConfigReader& data) {
  static constexpr char kQuestions[] =
      "is gone: questions are read from SQuAD's JSON (OWN_DATA.md has two lines that write it)";
  static constexpr std::pair<const char*, const char*> kGone[] = {
      {"header",
       "is gone: each file has one header row; write the columns' names as its first line"},
      {"id", "is gone: examples are called by their split and row"},
      {"question", kQuestions},
      {"context", kQuestions},
      {"answer", kQuestions},
      {"answer_start", kQuestions}};
  for (const auto& [key, why] : kGone)
    if (data.has(key)) data.fail(key, why);
}

}  // namespace

FileSource read_file_source(ConfigReader& data) {
  refuse_gone_keys(data);
  FileSource source;
  source.train = one_or_several(data, "train");
  source.dev = one_or_several(data, "dev");
  source.test = one_or_several(data, "test");
  if (source.train.empty()) data.fail("train", "expected a labelled file of your own, or a list");
  TableLayout& table = source.table;
  table.separator = data.choice("separator", kSeparators, table.separator);
  table.text = column_names(data, "text");
  table.pair = column_name(data, "pair");
  table.choices = column_names(data, "choices");
  table.label_columns = column_names(data, "label");
  if (table.label_columns.size() == 1) {
    table.label = table.label_columns.front();
    table.label_columns.clear();
  }
  table.group = column_name(data, "group");
  if (data.has("label_separator"))
    table.label_separator = data.choice("label_separator", kLabelSeparators);
  if (!table.label_columns.empty() && !table.label_separator.empty())
    data.fail("label_separator", "found \"" + table.label_separator +
                                     "\", expected none beside a list of columns under \"label\"");
  if (data.has("first_choice"))
    table.first_choice = static_cast<int>(data.integer("first_choice", 0, 1));
  if (data.has("labels")) {
    const json& labels = data.raw("labels");
    if (!labels.is_object()) data.fail("labels", "expected an object {\"written\": \"name\"}");
    for (const auto& [written, name] : labels.items()) {
      if (!name.is_string()) data.fail("labels." + written, "expected a name");
      table.labels.push_back({composed(written), name.get<std::string>()});
    }
  }
  table.skip_empty = true;
  source.held_out = static_cast<int>(data.integer("held_out", 1, 40, source.held_out));
  data.finish();
  return source;
}

json to_json(const FileSource& source) {
  json out = json::object();
  const TableLayout& table = source.table;
  put("train", source.train, &out);
  put("dev", source.dev, &out);
  put("test", source.test, &out);
  put("text", table.text, &out);
  put("choices", table.choices, &out);
  put("label", table.label_columns, &out);
  for (const auto& [key, name] :
       {std::pair("pair", &table.pair), std::pair("label", &table.label),
        std::pair("group", &table.group), std::pair("label_separator", &table.label_separator)})
    if (!name->empty()) out[key] = *name;
  if (table.separator != "auto") out["separator"] = table.separator;
  if (table.first_choice) out["first_choice"] = *table.first_choice;
  for (const auto& [written, name] : table.labels) out["labels"][written] = name;
  if (source.dev.empty() || source.test.empty()) out["held_out"] = source.held_out;
  return out;
}

}  // namespace minibert

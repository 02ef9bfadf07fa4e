#include "data/own_source.h"

#include "text/composed.h"

namespace minibert {
namespace {

using nlohmann::json;

// One string or a list of them.
std::vector<std::string> one_or_several(ConfigReader& reader, const std::string& key) {
  if (reader.has(key) && reader.raw(key).is_string()) return {reader.string(key)};
  return reader.strings(key);
}

// Of columns, as tables have them.
std::vector<std::string> column_names(ConfigReader& reader, const std::string& key) {
  std::vector<std::string> out = one_or_several(reader, key);
  for (std::string& name : out) name = composed(name);
  return out;
}

void put(const std::string& key, const std::vector<std::string>& values, json* out) {
  if (values.size() == 1)
    (*out)[key] = values.front();
  else if (!values.empty())
    (*out)[key] = values;
}

// What writes and reads the columns that are one name each.
template <class Columns, class Visit>
void single_columns(Columns& columns, const Visit& visit) {
  visit("pair", columns.pair);
  visit("group", columns.group);
  visit("id", columns.id);
  visit("question", columns.question);
  visit("context", columns.context);
  visit("answer", columns.answer);
  visit("answer_start", columns.answer_start);
}

}  // namespace

TableOptions OwnSource::table_options() const {
  TableOptions options;
  options.header = header;
  options.separator = separator;
  options.wanted = columns.text;
  options.wanted.insert(options.wanted.end(), columns.choices.begin(), columns.choices.end());
  options.wanted.insert(options.wanted.end(), columns.flags.begin(), columns.flags.end());
  const auto want = [&](const char*, const std::string& name) {
    if (!name.empty()) options.wanted.push_back(name);
  };
  want("label", columns.label);
  single_columns(columns, want);
  return options;
}

OwnSource read_own_source(ConfigReader& data) {
  OwnSource source;
  source.train = one_or_several(data, "train");
  source.dev = one_or_several(data, "dev");
  source.test = one_or_several(data, "test");
  if (source.train.empty()) data.fail("train", "expected a labelled file of your own, or a list");
  source.columns.text = column_names(data, "text");
  source.columns.choices = column_names(data, "choices");
  source.columns.flags = column_names(data, "label");
  if (source.columns.flags.size() == 1) {
    source.columns.label = source.columns.flags.front();
    source.columns.flags.clear();
  }
  single_columns(source.columns, [&](const char* key, std::string& name) {
    name = composed(data.string(key, ""));
  });
  if (data.has("header")) source.header = data.boolean("header");
  source.separator = data.choice("separator", kSeparators, source.separator);
  source.label_separator = data.choice("label_separator", kLabelSeparators, source.label_separator);
  if (!source.columns.flags.empty() && source.label_separator != "auto")
    data.fail("label_separator", "found \"" + source.label_separator +
                                     "\", expected none beside a list of columns under \"label\"");
  source.held_out = static_cast<int>(data.integer("held_out", 1, 40, source.held_out));
  if (data.has("labels")) {
    const json& labels = data.raw("labels");
    if (!labels.is_object()) data.fail("labels", "expected an object {\"written\": \"name\"}");
    for (const auto& [written, name] : labels.items()) {
      if (!name.is_string()) data.fail("labels." + written, "expected a name");
      source.labels.emplace_back(composed(written), name.get<std::string>());
    }
  }
  data.finish();
  return source;
}

json to_json(const OwnSource& source) {
  json out = json::object();
  put("train", source.train, &out);
  put("dev", source.dev, &out);
  put("test", source.test, &out);
  put("text", source.columns.text, &out);
  put("choices", source.columns.choices, &out);
  put("label", source.columns.flags, &out);
  if (!source.columns.label.empty()) out["label"] = source.columns.label;
  single_columns(source.columns, [&](const char* key, const std::string& name) {
    if (!name.empty()) out[key] = name;
  });
  if (source.header) out["header"] = *source.header;
  if (source.separator != "auto") out["separator"] = source.separator;
  if (source.label_separator != "auto") out["label_separator"] = source.label_separator;
  for (const auto& [written, name] : source.labels) out["labels"][written] = name;
  if (source.dev.empty() || source.test.empty()) out["held_out"] = source.held_out;
  return out;
}

}  // namespace minibert

#include "cli/file_options.h"

#include <filesystem>

#include "core/error.h"

namespace minibert {

FileSource FileOptions::source() const {
  nlohmann::json json = nlohmann::json::object();
  // A command that measures has a test file alone; the reader asks for one to train on.
  const bool measured = train.empty() && dev.empty();
  json["train"] = measured ? test : train;
  if (!measured && !dev.empty()) json["dev"] = dev;
  if (!measured && !test.empty()) json["test"] = test;
  for (const std::string& column : columns) {
    const size_t equals = column.find('=');
    if (equals == std::string::npos || equals == 0)
      throw usage_error("--column: found \"" + column + "\", expected KEY=VALUE, as text=문장");
    const std::string key = column.substr(0, equals), value = column.substr(equals + 1);
    // A list names several columns.
    const bool is_json = value.starts_with('{') || value.starts_with('[') ||
                         ((key == "held_out" || key == "first_choice") && !value.empty());
    json[key] = is_json ? nlohmann::json::parse(value, nullptr, false) : nlohmann::json(value);
    if (json[key].is_discarded())
      throw usage_error("--column: found \"" + column + "\", expected " + key + " as JSON");
  }
  ConfigReader reader(json, "--column");
  FileSource source = read_file_source(reader);
  if (measured) std::swap(source.train, source.test);
  return source;
}

bool is_file_name(const std::string& name) {
  if (std::filesystem::exists(name)) return true;
  if (name.find_first_of("/.") != std::string::npos) throw Error(name + ": no such file or folder");
  return false;
}

void add_columns(CLI::App& command, FileOptions* options) {
  command.add_option("--column", options->columns,
                     "KEY=COLUMN, as text=문장 or label=라벨 (experiments/OWN_DATA.md)");
}

}  // namespace minibert

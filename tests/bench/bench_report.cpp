// Collects the benchmarks' JSON lines from stdin: writes them with machine, build and versions to
// the file named, and prints them as tables. Refuses to speak for an unoptimised build. Usage:
// bench_report OUT.json <lines
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>

#include "core/error.h"
#include "core/files.h"
#include "environment/build_info.h"
#include "environment/environment.h"

namespace {

using nlohmann::ordered_json;

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

std::string cell(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value.get<double>());
  return text;
}

// Rows of an array of flat objects under the keys of all of them; a missing value stays blank.
void print_rows(const ordered_json& rows) {
  std::vector<std::string> keys;
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    for (const auto& [key, value] : row.items()) {
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
      keys.push_back(key);
      widths.push_back(key.size());
    }
  }
  const auto text = [&](const ordered_json& row, const std::string& key) {
    return row.contains(key) ? cell(row[key]) : std::string();
  };
  for (const auto& row : rows) {
    for (size_t i = 0; i < keys.size(); ++i) {
      widths[i] = std::max(widths[i], text(row, keys[i]).size());
    }
  }
  const auto print = [&](const auto& value) {
    std::cout << "   ";
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto shown = value(keys[i]);
      std::cout << " " << std::string(widths[i] - shown.size() + 1, ' ') << shown;
    }
    std::cout << "\n";
  };
  print([](const std::string& key) { return key; });
  for (const auto& row : rows) print([&](const std::string& key) { return text(row, key); });
}

void print_result(const ordered_json& result) {
  std::cout << "\n" << cell(result["name"]) << "\n";
  for (const auto& [key, value] : result.items()) {
    if (key == "name") continue;
    const bool rows = value.is_array() && !value.empty() && value.front().is_object();
    std::cout << "  " << key << (rows ? "" : ": " + cell(value)) << "\n";
    if (rows) print_rows(value);
  }
}

int report(const std::string& path) {
  using namespace minibert;
  if (std::string(build_info::build_type) != "Release") {
    throw usage_error("bench: found a " + std::string(build_info::build_type) +
                      " build, expected Release: its times would mean nothing");
  }
  auto results = ordered_json::array();
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty()) continue;
    auto result = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!result.is_object() || !result.contains("name")) {
      throw Error("bench: found the line '" + line.substr(0, 80) +
                  "', expected a JSON object with a name");
    }
    results.push_back(std::move(result));
  }
  const auto environment = choose_environment("auto", "auto");
  auto git = program_state();
  ordered_json all;
  all["date"] = now_utc();
  all["environment"] = to_json(environment, git);
  all["results"] = results;
  write_file_atomically(path, all.dump(2) + "\n");

  std::cout << library_versions()["minibert"].get<std::string>() << ", " << build_info::build_type
            << ", " << environment.hardware << ", " << environment.threads << " threads, "
            << describe(environment) << "\n";
  for (const auto& result : results) print_result(result);
  std::cout << "\nwritten to " << path << "\n";
  return results.empty() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: bench_report OUT.json <lines\n";
    return 2;
  }
  try {
    return report(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}

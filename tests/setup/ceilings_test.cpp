// Size is a feature: no room, and no document, grows above its ceiling in ceilings.json unless somebody raises it there
// and says why in CHANGELOG.md.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "core/files.h"
#include "support/shell.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

// Pictures, models, records, fonts, compressed data and lock files have no lines.
bool has_lines(const fs::path& file) {
  constexpr std::array kOthers = {".png",  ".mbq",         ".mbqs", ".h5",    ".hdf5",  ".zst",
                                  ".onnx", ".safetensors", ".woff", ".woff2", ".ttf",   ".otf",
                                  ".ico",  ".svg",         ".lock", ".spm",   ".model", ".bin",
                                  ".gz",   ".npz",         ".keras"};
  return std::ranges::count(kOthers, file.extension().string()) == 0 &&
         !file.filename().string().ends_with("package-lock.json");
}

size_t words_in(const std::string& text) {
  std::istringstream words(text);
  size_t count = 0;
  for (std::string word; words >> word;) ++count;
  return count;
}

// Counts lines of every room (lib/core, tests/cli, …) and of lib, tests and wasm_demo as "lib", …, all of them as "lines", and
// the words of all documents but CHANGELOG.md as "words".
std::map<std::string, size_t> count_tracked_files() {
  std::map<std::string, size_t> counts;
  const ShellResult listed = shell("git -c core.quotepath=off ls-files lib tests wasm_demo '*.md'");
  REQUIRE(listed.status == 0);
  std::istringstream files(listed.output);
  for (std::string name; std::getline(files, name);) {
    if (!fs::exists(name)) continue;  // removed, and not yet committed
    const fs::path file(name);
    const std::string top = file.begin()->string();
    if (file.extension() == ".md" && name != "CHANGELOG.md")
      counts["words"] += words_in(read_file(name));
    if ((top != "lib" && top != "tests" && top != "wasm_demo") || !has_lines(file)) continue;
    const std::string text = read_file(name);
    const auto lines = static_cast<size_t>(std::ranges::count(text, '\n'));
    counts[top + "/" + std::next(file.begin())->string()] += lines;
    counts[top] += lines;
    counts["lines"] += lines;
  }
  return counts;
}

}  // namespace

TEST_CASE("no room and no document is above its ceiling") {
  const auto ceilings = nlohmann::json::parse(read_file("tests/setup/ceilings.json"));
  const std::map<std::string, size_t> counts = count_tracked_files();
  REQUIRE(counts.at("lines") > 0);
  for (const auto& [room, count] : counts) {
    if (fs::is_regular_file(room)) continue;  // lib/README.md and the like count in the sums
    INFO(room << " has " << count
              << "; a higher ceiling in tests/setup/ceilings.json needs a line in CHANGELOG.md");
    REQUIRE(ceilings.contains(room));
    CHECK(count <= ceilings.at(room).get<size_t>());
  }
  for (const auto& [room, ceiling] : ceilings.items()) {
    INFO(room << " is in tests/setup/ceilings.json, and nowhere else");
    CHECK(counts.contains(room));
  }
}

}  // namespace minibert

// Includes run one way: lib/README.md draws the floors, and no room, nor anything in one, comes back to itself.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "core/files.h"
#include "core/text.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

// Which node includes which, with one pair of files as an example.
using Arrows = std::map<std::string, std::map<std::string, std::string>>;
// The room or the thing that a file belongs to.
using NodeOf = std::function<std::string(const fs::path&)>;

std::string room_of(const fs::path& file) { return file.parent_path().string(); }

// A source, its header, and the headers that only it reads are one thing.
std::string thing_of(const fs::path& file) {
  std::string stem = file.stem().string();
  for (const std::string part : {"_fields", "_internal", "_settings"})
    if (stem.ends_with(part)) stem.resize(stem.size() - part.size());
  return (file.parent_path() / stem).string();
}

// Paths in `#include "…"`, as they stand.
std::vector<std::string> included(const std::string& file) {
  std::vector<std::string> out;
  std::istringstream lines(read_file(file));
  const std::string directive = "#include \"";
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(directive))
      out.push_back(
          line.substr(directive.size(), line.find('"', directive.size()) - directive.size()));
  return out;
}

// Reads the sources under `root`; their includes are relative to it or to their own folder.
Arrows arrows_in(const fs::path& root, const NodeOf& node_of) {
  Arrows arrows;
  size_t found = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".h" && file.extension() != ".cpp") continue;
    for (const std::string& name : included(file.string()))
      for (const fs::path& base : {file.parent_path(), root}) {
        const fs::path other = (base / name).lexically_normal();
        if (!fs::is_regular_file(other)) continue;
        ++found;
        if (node_of(file) != node_of(other))
          arrows[node_of(file)][node_of(other)] = file.string() + " includes " + other.string();
        break;
      }
  }
  REQUIRE(found > 0);
  return arrows;
}

// The includes of one circle, a line each; empty where there is none.
std::string circle_in(const Arrows& arrows) {
  enum class Mark { open, done };
  std::map<std::string, Mark> marks;
  std::vector<std::string> way;
  std::string circle;
  const std::function<void(const std::string&)> visit = [&](const std::string& node) {
    marks[node] = Mark::open;
    way.push_back(node);
    if (const auto out = arrows.find(node); out != arrows.end())
      for (const auto& [next, why] : out->second) {
        if (!circle.empty()) return;
        if (!marks.contains(next)) {
          visit(next);
        } else if (marks.at(next) == Mark::open) {
          auto at = std::ranges::find(way, next);
          for (; at + 1 != way.end(); ++at) circle += arrows.at(*at).at(*(at + 1)) + "\n";
          circle += why + "\n";
          return;
        }
      }
    way.pop_back();
    marks[node] = Mark::done;
  };
  for (const auto& [node, out] : arrows)
    if (circle.empty() && !marks.contains(node)) visit(node);
  return circle;
}

// lib/README.md's drawing: floors, counted from the top, their rooms before the bar.
std::map<std::string, size_t> floors_of_lib() {
  std::map<std::string, size_t> floor_of;
  std::istringstream lines(read_file("lib/README.md"));
  bool drawing = false;
  size_t floor = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      if (drawing) break;
      drawing = true;
    } else if (drawing) {
      ++floor;
      std::istringstream words(line.substr(0, line.find('|')));
      for (std::string room; words >> room;) floor_of[room] = floor;
    }
  }
  return floor_of;
}

// The rooms of a table whose first column is `NAME/`, in its order.
std::vector<std::string> rooms_listed(const std::string& document, const std::string& prefix) {
  std::vector<std::string> rooms;
  std::istringstream lines(read_file(document));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| `" + prefix)) rooms.push_back(line.substr(3, line.find("/`") - 3));
  return rooms;
}

// Lines whose comment begins with a noun clause ("What it holds."), which hides subject and verb.
std::string noun_clauses(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  bool inside = false;  // a comment goes on
  for (std::string line; std::getline(lines, line);) {
    const size_t at = inside ? line.npos : line.find("// ");
    inside = trimmed(line).starts_with("//");
    if (at == line.npos) continue;
    for (const std::string word : {"Of ", "What ", "Whether "})
      if (line.compare(at + 3, word.size(), word) == 0) out += line + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("a circle of includes is found") {
  CHECK(circle_in({{"a", {{"b", "1"}, {"c", "2"}}}, {"b", {{"c", "3"}}}}).empty());
  CHECK(circle_in({{"a", {{"b", "1"}}}, {"b", {{"c", "2"}}}, {"c", {{"b", "3"}}}}) == "2\n3\n");
}

TEST_CASE("rooms of lib include each other one way, and so does what is in them") {
  CHECK(circle_in(arrows_in("lib", room_of)) == "");
  CHECK(circle_in(arrows_in("lib", thing_of)) == "");
}

TEST_CASE("rooms of lib include what stands below them in the drawing") {
  const std::map<std::string, size_t> floors = floors_of_lib();
  const auto top_room = [](const fs::path& file) { return std::next(file.begin())->string(); };
  for (const auto& [room, others] : arrows_in("lib", top_room)) {
    INFO("in the drawing of lib/README.md: " << room);
    REQUIRE(floors.contains(room));
    for (const auto& [other, why] : others) {
      INFO(why);
      REQUIRE(floors.contains(other));
      CHECK(floors.at(room) < floors.at(other));
    }
  }
}

TEST_CASE("rooms of the page include rooms above them in its README") {
  const std::vector<std::string> listed = rooms_listed("wasm_demo/README.md", "page/");
  const auto place = [&](const std::string& room) {
    return std::ranges::find(listed, fs::path(room).lexically_relative("wasm_demo").string());
  };
  for (const auto& [room, others] : arrows_in("wasm_demo/page", room_of)) {
    INFO(room);
    REQUIRE(place(room) != listed.end());
    for (const auto& [other, why] : others)
      if (other != "wasm_demo") {  // words.def
        INFO(why);
        REQUIRE(place(other) != listed.end());
        CHECK(place(other) < place(room));
      }
  }
  CHECK(circle_in(arrows_in("wasm_demo/page", thing_of)) == "");
}

TEST_CASE("comments of headers begin with a verb or a subject") {
  CHECK(noun_clauses("// Returns\n// What\nint f();  // Office\n") == "");
  CHECK(noun_clauses("int a;  // Of b\n\n// What is c.\nint c;\n") ==
        "int a;  // Of b\n// What is c.\n");
  for (const char* root : {"lib", "wasm_demo/engine", "wasm_demo/page"})
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".h") continue;
      INFO(entry.path().string());
      CHECK(noun_clauses(read_file(entry.path().string())) == "");
    }
}

TEST_CASE("folders of tests include each other one way") {
  CHECK(circle_in(arrows_in("tests", room_of)) == "");
  CHECK(circle_in(arrows_in("tests", thing_of)) == "");
}

}  // namespace minibert

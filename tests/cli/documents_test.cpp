// Commands, options, targets, experiments, records, rooms and files in the documents exist.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "core/files.h"
#include "support/program.h"
#include "support/shell.h"

namespace minibert {
namespace {

using testing::ProgramResult;
using testing::run_program;

// Options that make hands on in ARGS, by target.
const std::map<std::string, std::string> kProgramOf = {
    {"experiment", "run"},      {"compare", "compare"}, {"report", "report"}, {"watch", "watch"},
    {"reproduce", "reproduce"}, {"inspect", "inspect"}, {"verify", "verify"}};

// Every Markdown file of the tree.
std::vector<std::string> documents() {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator it("."), end; it != end; ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() &&
        (name.starts_with('.') || name.starts_with("build") || name == "node_modules"))
      it.disable_recursion_pending();
    else if (it->path().extension() == ".md")
      paths.push_back(it->path().lexically_normal().string());
  }
  return paths;
}

// Code of a Markdown text: fenced lines, continued ones joined, and spans.
std::vector<std::string> code_in(const std::string& path) {
  std::string text = std::regex_replace(read_file(path), std::regex(R"(\\\n\s*)"), " ");
  std::vector<std::string> out;
  std::string rest, line;
  bool fenced = false;
  for (std::istringstream lines(text); std::getline(lines, line);) {
    if (line.substr(std::min(line.size(), line.find_first_not_of(' '))).starts_with("```"))
      fenced = !fenced;
    else if (fenced)
      out.push_back(line);
    else
      rest += line + " ";
  }
  const std::regex span("`([^`]+)`");
  for (std::sregex_iterator it(rest.begin(), rest.end(), span), end; it != end; ++it)
    out.push_back((*it)[1]);
  return out;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

const std::string& help_of(const std::string& command) {
  static std::map<std::string, std::string> known;
  const auto [found, is_new] = known.try_emplace(command);
  if (is_new) {
    const auto help = run_program(command + " --help");
    if (help.status == 0) found->second = help.out;
  }
  return found->second;
}

// An option that is given again for more takes the word behind it and no second one, which would be read as a word of
// the command: documents write such words first.
void check_given_again(const std::string& command, const std::string& text) {
  const std::regex two_words(R"((--[a-z][a-z-]*) [^-\s"']\S* [^-\s"'])");
  for (std::sregex_iterator it(text.begin(), text.end(), two_words), end; it != end; ++it) {
    INFO(command << ": " << (*it)[0]);
    const std::string option = (*it)[1].str() + " ";
    const std::string from = help_of(command).substr(
        std::min(help_of(command).find("  " + option), help_of(command).size()));
    CHECK_FALSE(std::regex_search(from.substr(0, from.find("\n  --")), std::regex("again for")));
  }
}

void check_options(const std::string& command, const std::string& text) {
  CHECK_FALSE(help_of(command).empty());
  check_given_again(command, text);
  const std::regex option(R"((^|[\s"'])(--[a-z][a-z-]*))");
  for (std::sregex_iterator it(text.begin(), text.end(), option), end; it != end; ++it) {
    INFO(command << ": " << (*it)[2]);
    CHECK(help_of(command).find((*it)[2].str()) != std::string::npos);
  }
}

// The command in "… build/minibert data stats ID | less": "data stats" and what follows up to a
// comment, a pipe or another command.
void check_program(const std::string& code) {
  const std::regex called(R"((^|[\s(])(build/)?minibert ([a-z][a-z-]*)([^#|&>]*))");
  for (std::sregex_iterator it(code.begin(), code.end(), called), end; it != end; ++it) {
    std::string command = (*it)[3];
    const std::string rest = (*it)[4];
    const auto words = words_of(rest);
    const bool has_own = command == "data" || command == "tokenizer";
    if (has_own && !words.empty() && !words[0].starts_with("-")) command += " " + words[0];
    INFO(code);
    check_options(command, rest);
  }
}

void check_make(const std::string& code, const std::set<std::string>& targets) {
  const std::regex called(R"((^|[\s(])make ([a-z][a-z-]*)([^#|&]*))");
  for (std::sregex_iterator it(code.begin(), code.end(), called), end; it != end; ++it) {
    const std::string target = (*it)[2], rest = (*it)[3];
    INFO(code);
    CHECK(targets.contains(target));
    if (const auto program = kProgramOf.find(target); program != kProgramOf.end())
      check_options(program->second, rest);
    std::smatch name, profile;
    if (!std::regex_search(rest, name, std::regex(R"(NAME=([a-z0-9_,]+))"))) continue;
    std::istringstream names(name[1].str());
    for (std::string one; std::getline(names, one, ',');) {
      if (one == "mine") continue;  // which the text has the reader make
      const std::string file = "experiments/" + one + ".json";
      CHECK(std::filesystem::exists(file));
      const bool trains = target == "experiment" && std::filesystem::exists(file);
      if (trains && std::regex_search(rest, profile, std::regex(R"(PROFILE=([a-z0-9_]+))")))
        CHECK(run_program("run " + one + " --list --profile " + profile[1].str()).status == 0);
    }
  }
}

// Folders below `root` that hold files, "lib/core/"; not what npm and Python put there. What other programs
// wrote is one folder, "files", however they divide it.
std::set<std::string> folders_of(const std::string& root) {
  namespace fs = std::filesystem;
  std::set<std::string> folders;
  for (fs::recursive_directory_iterator it(root), end; it != end; ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && (name == "node_modules" || name == "__pycache__"))
      it.disable_recursion_pending();
    else if (it->is_directory() && name == "files")
      it.disable_recursion_pending(), folders.insert(it->path().string() + "/");
    else if (it->is_regular_file() && it.depth() > 0)
      folders.insert(it->path().parent_path().string() + "/");
  }
  return folders;
}

// Folders that have a row of their own in the document's tables: "| `lib/core/` | …".
std::set<std::string> rows_of(const std::string& document, const std::string& root) {
  std::set<std::string> rows;
  const std::string text = read_file(document);
  const std::regex row("\n\\| `(" + root + "/[a-z0-9_/]+/)` \\|");
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it)
    rows.insert((*it)[1]);
  return rows;
}

}  // namespace

TEST_CASE("every room of lib and every folder of tests has its line in the README") {
  for (const std::string root : {"lib", "tests"})
    CHECK(rows_of(root + "/README.md", root) == folders_of(root));
}

TEST_CASE("files that the library's README names are there") {
  const std::regex file(R"([a-z0-9_/]+\.(h|cpp|json|txt|md|py))");
  for (const std::string& code : code_in("lib/README.md")) {
    if (!std::regex_match(code, file)) continue;
    INFO(code);
    CHECK((std::filesystem::exists(code) || std::filesystem::exists("lib/" + code)));
  }
}

TEST_CASE("the document of keys is what the program writes") {
  const testing::ProgramResult keys = testing::run_program("new --keys");
  CHECK(keys.status == 0);
  CHECK(keys.out == read_file("experiments/KEYS.md"));  // else: build/minibert new --keys >…
}

TEST_CASE("the documents name commands, options, targets, experiments and records that are there") {
  std::set<std::string> targets;
  const std::string makefile = read_file("Makefile");
  const std::regex target(R"(\n([a-z][a-z-]*):)");
  for (std::sregex_iterator it(makefile.begin(), makefile.end(), target), end; it != end; ++it)
    targets.insert((*it)[1]);
  const std::regex record(R"(results/[A-Za-z0-9_./-]+\.h5)");
  for (const std::string& document : documents()) {
    INFO(document);
    for (const std::string& code : code_in(document)) {
      check_program(code);
      check_make(code, targets);
      for (std::sregex_iterator it(code.begin(), code.end(), record), end; it != end; ++it) {
        INFO(code);
        CHECK(std::filesystem::exists(it->str()));
      }
    }
  }
}

TEST_CASE("a term has one spelling in every Korean document and page") {
  std::vector<std::string> files = {"wasm_demo/words.def", "lib/report/page/words.js"};
  for (const std::string& document : documents())
    if (document.ends_with(".ko.md")) files.push_back(document);
  const std::pair<const char*, const char*> spellings[] = {{"사전 학습", "사전학습"},
                                                           {"파라미터", "매개변수"},
                                                           {"에포크", "에폭"},
                                                           {"토큰화기", "토크나이저"}};
  for (const std::string& file : files) {
    const std::string text = read_file(file);
    for (const auto& [other, ours] : spellings) {
      INFO(file << ": " << other << ", expected " << ours);
      CHECK(text.find(other) == std::string::npos);
    }
  }
}

TEST_CASE("links of the documents lead to files that are there") {
  const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  for (const std::string& document : documents()) {
    const std::string text = read_file(document);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      INFO(document << ": " << (*it)[1]);
      CHECK(
          std::filesystem::exists(std::filesystem::path(document).parent_path() / (*it)[1].str()));
    }
  }
}

TEST_CASE("the tables of the documents are what the commands beside them print") {
  const auto checked =
      shell("MINIBERT=" + single_quoted(testing::warm_program()) + " .setup/tables.py --check");
  INFO(checked.output);
  CHECK(checked.status == 0);
}

TEST_CASE(
    "the kept check by peers is of the versions that make peers installs, and every row passed") {
  std::vector<std::string> pinned;
  const std::regex version("==([0-9.]+)|\"vite\": \"([0-9.]+)\"");
  for (const char* name : {"requirements/transformers.txt", "requirements/keras.txt",
                           "requirements/tables.txt", "bundler/package.json"}) {
    const std::string text = read_file(std::string("tests/peers/") + name);
    for (std::sregex_iterator it(text.begin(), text.end(), version), end; it != end; ++it)
      pinned.push_back((*it)[1].matched ? (*it)[1] : (*it)[2]);
  }
  REQUIRE(pinned.size() > 15);
  const auto kept = nlohmann::json::parse(read_file("tests/peers/checked.json"));
  CHECK(kept.at("rows").size() >= 15);
  for (const auto& row : kept.at("rows")) {
    INFO(row.dump());
    CHECK(row.at(2) == row.at(3));
  }
  for (const auto& [name, found] : kept.at("versions").items()) {
    INFO(name << " " << found);
    CHECK(std::ranges::any_of(pinned, [&](const std::string& one) {
      return found.get<std::string>().find(one) != std::string::npos;
    }));
  }
}

}  // namespace minibert

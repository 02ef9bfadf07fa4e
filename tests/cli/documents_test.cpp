// What the documents tell a user to type: commands, options, targets, experiments and records that are
// there.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "cli/program.h"
#include "core/files.h"

namespace minibert {
namespace {

using testing::run_program;

const std::vector<std::string> kDocuments = {
    "README.md",
    "README.ko.md",
    "experiments/README.md",
    "experiments/slurm/README.md",
    "lib/checkpoint/README.md",
    "results/README.md",
    "wasm_demo/API.md",
};
// Options that make hands on in ARGS, by target.
const std::map<std::string, std::string> kProgramOf = {
    {"experiment", "run"},      {"compare", "compare"}, {"report", "report"}, {"watch", "watch"},
    {"reproduce", "reproduce"}, {"inspect", "inspect"}, {"verify", "verify"}};

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

void check_options(const std::string& command, const std::string& text) {
  CHECK_FALSE(help_of(command).empty());
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

}  // namespace

TEST_CASE("the documents name commands, options, targets, experiments and records that are there") {
  std::set<std::string> targets;
  const std::string makefile = read_file("Makefile");
  const std::regex target(R"(\n([a-z][a-z-]*):)");
  for (std::sregex_iterator it(makefile.begin(), makefile.end(), target), end; it != end; ++it)
    targets.insert((*it)[1]);
  const std::regex record(R"(results/[A-Za-z0-9_./-]+\.h5)");
  size_t codes = 0;
  for (const std::string& document : kDocuments) {
    INFO(document);
    for (const std::string& code : code_in(document)) {
      ++codes;
      check_program(code);
      check_make(code, targets);
      for (std::sregex_iterator it(code.begin(), code.end(), record), end; it != end; ++it) {
        INFO(code);
        CHECK(std::filesystem::exists(it->str()));
      }
    }
  }
  CHECK(codes > 300);
}

}  // namespace minibert

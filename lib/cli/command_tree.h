// The program's commands and options as plain data, read from CLI11: what completion and the manual page are
// made of, so that neither can tell of another program.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace minibert {

struct OptionText {
  // "-h", "--help"; first of a positional one its name, "TEXT".
  std::vector<std::string> names;
  std::string value;                 // what it takes, "TEXT", "{a,b}"; empty: a flag
  std::vector<std::string> choices;  // the values that it takes; empty: any
  std::string description, fallback;
  bool positional = false, required = false, several = false;
};

struct CommandText {
  std::string path;  // "minibert data stats"
  std::string description;
  std::vector<OptionText> options;  // positional ones first
  std::vector<CommandText> commands;

  std::string name() const { return path.substr(path.rfind(' ') + 1); }
  bool has_positional() const { return !options.empty() && options.front().positional; }
};

// Hidden commands and options (CLI11: of the group "") are left out.
CommandText command_tree(const CLI::App& app);

// A script that bash, or zsh, reads for completion: commands, options, values of which there are a few, names of
// experiments, files.
std::string bash_completion(const CommandText& program);
std::string zsh_completion(const CommandText& program);

// The manual page, man(7). `version` stands in its foot.
std::string manual_page(const CommandText& program, const std::string& version);

}  // namespace minibert

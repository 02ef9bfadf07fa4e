// minibert completion: what a shell completes commands by.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include "cli/command_tree.h"
#include "cli/commands.h"
#include "core/shell_quote.h"
#include "core/text.h"

namespace minibert {
namespace {

// What a shell offers in an option's or an argument's place.
enum class Offered { nothing, files, experiments };

Offered offered(const OptionText& option) {
  for (const char* number : {"INT", "UINT", "FLOAT", "NUMBER"})
    if (option.value == number) return Offered::nothing;
  const auto is = [&](const char* name) {
    return std::ranges::find(option.names, name) != option.names.end();
  };
  return is("EXPERIMENT") || is("experiment") || is("--name") ? Offered::experiments
                                                              : Offered::files;
}

std::vector<std::string> dashed(const OptionText& option) {
  std::vector<std::string> out = option.names;
  std::erase_if(out, [](const std::string& name) { return !name.starts_with("-"); });
  return out;
}

// The tables that a script is made of: patterns of "case … in".
struct Patterns {
  std::vector<const CommandText*> commands;
  std::map<std::string, std::vector<std::string>> choices;  // "a b c": the options that take them
  std::map<Offered, std::vector<std::string>> options;      // that take a value of a kind
};

void gather(const CommandText& command, Patterns* out) {
  out->commands.push_back(&command);
  for (const OptionText& option : command.options) {
    if (option.value.empty()) continue;
    for (const std::string& name : dashed(option)) {
      const std::string pattern = shell_quoted(command.path + " " + name);
      if (option.choices.empty())
        out->options[offered(option)].push_back(pattern);
      else
        out->choices[joined(option.choices, " ")].push_back(pattern);
    }
  }
  for (const CommandText& one : command.commands) gather(one, out);
}

// A line of "case … in".
std::string when(const std::vector<std::string>& patterns, const std::string& then) {
  return "    " + joined(patterns, " | ") + ") " + then + " ;;\n";
}

// The commands below the program, by which the one that is typed is found.
std::string command_patterns(const Patterns& patterns) {
  std::vector<std::string> paths;
  for (const CommandText* command : patterns.commands)
    if (command->path.find(' ') != std::string::npos) paths.push_back(shell_quoted(command->path));
  return joined(paths, " | ");
}

// The shell's function that offers what there is.
using Offers = std::map<Offered, std::string>;
Offers offers_with(const char* files) {
  return {{Offered::nothing, ":"},
          {Offered::files, files},
          {Offered::experiments, "_minibert_experiments"}};
}

// "case": how a value of the option before is completed. `reply` is said with the words.
std::string value_cases(const Patterns& patterns, const std::string& reply, const Offers& offers) {
  std::string out = "  case \"$at $prev\" in\n";
  for (const auto& [words, options] : patterns.choices)
    out += when(options, reply + " " + shell_quoted(words) + "; return");
  for (const auto& [kind, options] : patterns.options)
    out += when(options, offers.at(kind) + "; return");
  return out + "  esac\n";
}

std::string arguments_of(const CommandText& command, const Offers& offers) {
  const auto found = std::ranges::find_if(command.options, &OptionText::positional);
  return shell_quoted(found == command.options.end() ? ":" : offers.at(offered(*found)));
}

constexpr char kBashBegin[] =
    R"(# bash completion for minibert, written by `minibert completion bash`.
_minibert_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_minibert_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
_minibert_experiments() {
  local names=(experiments/*.json)
  names=("${names[@]##*/}")
  names=("${names[@]%.json}")
  _minibert_files
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "${names[*]#\*}" -- "$cur")
}
_minibert() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} at=minibert i
  # --option=value are three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
)";

constexpr char kZshBegin[] = R"(#compdef minibert
# zsh completion for minibert, written by `minibert completion zsh`.
_minibert_words() { compadd -- ${=1} }
_minibert_experiments() {
  local -a names=(experiments/*.json(N:t:r))
  compadd -a names
  _files
}
_minibert() {
  local cur=$words[CURRENT] prev=$words[CURRENT-1] at=minibert arguments=: i
  local -a commands options
)";

constexpr char kZshEnd[] = R"(  if [[ $cur == -* ]]; then
    _describe -o option options
  elif (( $#commands )); then
    _describe command commands
  else
    $=arguments
  fi
}
if [[ $funcstack[1] == _minibert ]]; then
  _minibert "$@"
else
  compdef _minibert minibert
fi
)";

// 'name:what it does', as _describe reads it.
std::string described(const std::string& name, const std::string& description) {
  std::string text;
  for (const char c : description) text += c == ':' ? std::string("\\:") : std::string(1, c);
  return shell_quoted(name + ":" + text);
}

void add_shell(CLI::App* completion, const CLI::App& app, const char* name, const char* how,
               std::string (*script)(const CommandText&)) {
  completion->add_subcommand(name, how)->callback(
      [&app, script] { std::cout << script(command_tree(app)); });
}

}  // namespace

std::string bash_completion(const CommandText& program) {
  Patterns patterns;
  gather(program, &patterns);
  const Offers offers = offers_with("_minibert_files");
  std::string out = kBashBegin;
  out += "  for ((i = 1; i < COMP_CWORD; ++i)); do\n    case \"$at ${COMP_WORDS[i]}\" in\n      " +
         command_patterns(patterns) + ") at+=\" ${COMP_WORDS[i]}\" ;;\n    esac\n  done\n";
  out += value_cases(patterns, "_minibert_words", offers);
  out += "  local commands= options= arguments=:\n  case $at in\n";
  for (const CommandText* command : patterns.commands) {
    std::vector<std::string> commands, options;
    for (const CommandText& one : command->commands) commands.push_back(one.name());
    for (const OptionText& option : command->options)
      for (const std::string& name : dashed(option)) options.push_back(name);
    out +=
        when({shell_quoted(command->path)}, "commands=" + shell_quoted(joined(commands, " ")) +
                                                " options=" + shell_quoted(joined(options, " ")) +
                                                " arguments=" + arguments_of(*command, offers));
  }
  out +=
      "  esac\n"
      "  if [[ $cur == -* ]]; then\n    _minibert_words \"$options\"\n"
      "  elif [[ -n $commands ]]; then\n    _minibert_words \"$commands\"\n"
      "  else\n    $arguments\n  fi\n}\ncomplete -F _minibert minibert\n";
  return out;
}

std::string zsh_completion(const CommandText& program) {
  Patterns patterns;
  gather(program, &patterns);
  const Offers offers = offers_with("_files");
  std::string out = kZshBegin;
  out += "  for ((i = 2; i < CURRENT; ++i)); do\n    case \"$at $words[i]\" in\n      " +
         command_patterns(patterns) + ") at+=\" $words[i]\" ;;\n    esac\n  done\n";
  out += value_cases(patterns, "_minibert_words", offers);
  out += "  case $at in\n";
  for (const CommandText* command : patterns.commands) {
    std::vector<std::string> commands, options;
    for (const CommandText& one : command->commands)
      commands.push_back(described(one.name(), one.description));
    for (const OptionText& option : command->options)
      for (const std::string& name : dashed(option))
        options.push_back(described(name, option.description));
    out += when({shell_quoted(command->path)}, "commands=(" + joined(commands, " ") +
                                                   ") options=(" + joined(options, " ") +
                                                   ") arguments=" + arguments_of(*command, offers));
  }
  return out + "  esac\n" + kZshEnd;
}

void add_completion(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "completion", "print a script by which a shell completes commands, options and files");
  command->require_subcommand(1);
  add_shell(command, app, "bash", "for bash: source <(minibert completion bash)", bash_completion);
  add_shell(command, app, "zsh", "for zsh: source <(minibert completion zsh)", zsh_completion);
}

}  // namespace minibert

// minibert manual: the program's manual page.
#include <iostream>

#include "cli/command_tree.h"
#include "cli/commands.h"
#include "core/text.h"
#include "core/utf8.h"
#include "environment/environment.h"

namespace minibert {
namespace {

// Text as man(7) takes it: what it would read as a command of its own, and what not every device has as a
// character, escaped.
std::string roff(const std::string& text) {
  std::string out;
  for (const char32_t c : to_code_points(text)) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\n')
      out += " ";
    else if ((c == '.' || c == '\'') && out.empty())
      out += std::string("\\&") + static_cast<char>(c);
    else if (c < 0x80)
      out += static_cast<char>(c);
    else {
      char escaped[16];
      std::snprintf(escaped, sizeof escaped, "\\[u%04X]", static_cast<unsigned>(c));
      out += escaped;
    }
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string slanted(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

// "-h, --help", "--run TEXT", "FILE"
std::string heading_of(const OptionText& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names)
    names.push_back(name.starts_with("-") ? bold(name) : slanted(name));
  std::string out = joined(names);
  if (!option.value.empty() && option.names.back().starts_with("-"))
    out += " " + slanted(option.value);
  if (option.several) out += " ...";
  if (option.required) out += " (required)";
  return out;
}

void add_options(const CommandText& command, std::string* out) {
  for (const OptionText& option : command.options) {
    *out += ".TP\n" + heading_of(option) + "\n" + roff(option.description);
    if (!option.fallback.empty()) *out += " (default: " + roff(option.fallback) + ")";
    *out += "\n";
  }
}

// The command's section, and those of its own commands.
void add_command(const CommandText& command, std::string* out) {
  std::string line = command.path;
  if (!command.commands.empty()) line += " COMMAND";
  for (const OptionText& option : command.options)
    if (option.positional) line += " " + option.names.front();
  *out += ".SS " + roff(line) + "\n" + roff(command.description) + "\n";
  add_options(command, out);
  for (const CommandText& one : command.commands) add_command(one, out);
}

void add_entry(const std::string& heading, const std::string& text, std::string* out) {
  *out += ".TP\n" + bold(heading) + "\n" + roff(text) + "\n";
}

}  // namespace

std::string manual_page(const CommandText& program, const std::string& version) {
  const std::string name = program.name();
  const std::string what = program.description.substr(program.description.find(": ") + 2);
  std::string out = ".\\\" Written by `minibert manual`.\n.TH MINIBERT 1 \"\" \"" +
                    roff(name + " " + version) + "\" \"User Commands\"\n";
  out += ".SH NAME\n" + roff(name) + " \\- " + roff(what) + "\n";
  out += ".SH SYNOPSIS\n.B " + roff(name) + "\n.I command\n[\\fIoptions\\fR] [\\fIarguments\\fR]\n";
  out += ".SH DESCRIPTION\nData goes to standard output, all else to standard error.\n";
  add_options(program, &out);
  out += ".SH COMMANDS\n";
  for (const CommandText& command : program.commands) add_command(command, &out);
  out += ".SH EXIT STATUS\n";
  add_entry("0", "done", &out);
  add_entry("1", "the work failed", &out);
  add_entry("2", "arguments or a configuration that cannot be used", &out);
  out += ".SH ENVIRONMENT\n";
  add_entry("MINIBERT_DATA", "the data folder, where no option names one (else data/)", &out);
  add_entry("OMP_NUM_THREADS", "threads of the CPU, where no option says how many", &out);
  out += ".SH FILES\n";
  add_entry("experiments/NAME.json", "experiments, by their names", &out);
  add_entry("results/EXPERIMENT/PROFILE/ARM-sSEED.h5", "the record of a run, an HDF5 file", &out);
  return out;
}

void add_manual(CLI::App& app) {
  app.add_subcommand("manual", "print the program's manual page, for man -l")->callback([&app] {
    std::cout << manual_page(command_tree(app),
                             library_versions().at("minibert").get<std::string>());
  });
}

}  // namespace minibert

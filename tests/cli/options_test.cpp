// How much there is to learn: the program's commands and their options, counted in CLI11's tree of them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <sstream>
#include <string>

#include "cli/commands.h"

namespace minibert {
namespace {

// The named options of a command and of all below it; --help is none. Commands without a group are hidden.
size_t count_options(CLI::App& command) {
  size_t count = 0;
  for (const CLI::Option* option : command.get_options())
    count += option->nonpositional() && option != command.get_help_ptr() ? 1 : 0;
  for (CLI::App* below : command.get_subcommands(nullptr))
    if (!below->get_group().empty()) count += count_options(*below);
  return count;
}

// The help texts of more than `most` words, of a command and of all below it, with the option's name.
std::string long_texts(CLI::App& command, size_t most) {
  std::string out;
  for (const CLI::Option* option : command.get_options()) {
    std::istringstream words(option->get_description());
    const auto count = std::distance(std::istream_iterator<std::string>(words),
                                     std::istream_iterator<std::string>());
    if (static_cast<size_t>(count) > most)
      out +=
          command.get_name() + " " + option->get_name() + ": " + option->get_description() + "\n";
  }
  for (CLI::App* below : command.get_subcommands(nullptr)) out += long_texts(*below, most);
  return out;
}

}  // namespace

TEST_CASE("a help text of an option has at most twelve words") {
  CLI::App app;
  add_commands(app);
  CHECK(long_texts(app, 12) == "");
}

TEST_CASE("commands and options stay few enough to learn") {
  CLI::App app;
  add_commands(app);
  size_t commands = 0;
  std::string told;
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_group().empty()) continue;
    ++commands;
    told += command->get_name() + " " + std::to_string(count_options(*command)) + "\n";
  }
  INFO(told);
  CHECK(commands == 19);
  CHECK(count_options(*app.get_subcommand("run")) <= 18);
  CHECK(count_options(*app.get_subcommand("compare")) <= 14);
  CHECK(count_options(app) <= 175);
}

}  // namespace minibert

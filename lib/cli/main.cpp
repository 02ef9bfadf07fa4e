// minibert: the program. Data to stdout, talk to stderr; exit 0 done, 1 failed, 2 bad arguments.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "core/excerpt.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "core/utf8.h"
#include "environment/build_info.h"
#include "environment/thread_wait.h"
#include "words/phrases.h"

namespace {

constexpr size_t kLongestMessage = 4000;  // bytes

// Output that could not be written (a full disk) is a failure, whatever the command did.
int checked(int status) {
  std::cout.flush();
  errno = 0;
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (!failed) return status;
  std::cerr << "minibert: standard output: cannot be written"
            << (errno != 0 ? std::string(": ") + std::strerror(errno) : std::string()) << "\n";
  return status == 0 ? 1 : status;
}

// Whatever a message quotes, a terminal gets a line that it can show, in the program's language.
void tell(const std::string& line) {
  std::cerr << "minibert: " << minibert::excerpt(minibert::told(line), kLongestMessage) << "\n";
}
void tell(const std::exception& error) { tell(minibert::first_line(error)); }

// Which argument `error` is about, a text that JSON cannot hold: it is not UTF-8, as the name of a file may be.
minibert::Error of_argument(const nlohmann::json::type_error& error, int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (const size_t bad = minibert::first_invalid_utf8(argv[i]); bad != minibert::kValid)
      return minibert::usage_error("\"" + std::string(argv[i]) + "\": not valid UTF-8 at byte " +
                                   std::to_string(bad) +
                                   ", expected a name in UTF-8: mv renames it");
  return minibert::Error(error.what());
}

// Adds to CLI11's message what it lacks: the word that stands in a command's place, or what the
// help says of a missing option.
std::string explained(const CLI::App& app, const std::string& line) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  std::vector<std::string> names;
  for (const CLI::App* below : command->get_subcommands(nullptr))
    if (!below->get_group().empty()) names.push_back(below->get_name());
  const std::vector<std::string> words = command->remaining();
  if (!names.empty() && !words.empty() && !words.front().starts_with('-')) {
    const std::string near = minibert::did_you_mean(words.front(), names, "", "");
    return "unknown command \"" + words.front() + "\", " +
           (near.empty() ? "expected one of: " + minibert::joined(names, " ") : near);
  }
  const CLI::Option* option =
      command->get_option_no_throw(line.substr(0, line.find(" is required")));
  return option == nullptr ? line : line + ": " + option->get_description();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace minibert;
  auto logger = spdlog::stderr_color_mt("minibert");
  logger->set_pattern("%^%v%$");
  spdlog::set_default_logger(logger);

  set_shipped_folder(build_info::source_dir);
  CLI::App app{"minibert: train a mini BERT for Korean, compare it, and fill masks with it"};
  add_commands(app);
  // Before any command is run on what was understood of its arguments.
  app.parse_complete_callback([&app, argv] {
    if (app.got_subcommand("run") || app.got_subcommand("reproduce")) sleep_at_barriers(argv);
  });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return checked(app.exit(error));  // --help
    tell(explained(app, first_line(error)));
    return 2;
  } catch (const Error& error) {
    tell(error);
    return error.kind() == ErrorKind::usage ? 2 : 1;
  } catch (const nlohmann::json::type_error& error) {
    tell(of_argument(error, argc, argv));
    return 2;
  } catch (const std::bad_alloc&) {
    tell("there is not enough memory");
    return 1;
  } catch (const std::exception& error) {
    tell(error);
    return 1;
  }
  return checked(0);
}

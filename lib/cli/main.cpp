// minibert: the program. Data to stdout, talk to stderr; exit 0 done, 1 failed, 2 bad arguments.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>

#include "cli/commands.h"
#include "core/error.h"
#include "core/excerpt.h"
#include "core/shipped_files.h"
#include "environment/build_info.h"
#include "environment/thread_wait.h"

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

constexpr std::string_view kNoMemory = "minibert: there is not enough memory\n";

// Needs none itself.
void tell_no_memory() {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kNoMemory.data(), kNoMemory.size());
}

// Where an exception may not pass, as in nlohmann's destructors, which need memory.
[[noreturn]] void on_terminate() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    tell_no_memory();
    _exit(1);
  } catch (...) {
  }
  std::abort();
}

// CLI11 takes arguments apart with streams, in which an allocation that fails looks like the end of the argument.
std::atomic<bool> memory_lacked = false;

void on_no_memory() {
  memory_lacked = true;
  throw std::bad_alloc();
}

// Where a command has words of its own, options that may be given again take one argument each time: in "run --arms
// bert NAME" NAME is the experiment. What stands in place of these words may stand side by side, as a shell writes out
// *.h5 behind --runs.
void take_one_argument_each(CLI::App& command) {
  const std::vector<CLI::Option*> options = command.get_options();
  const auto is_word = [](const CLI::Option* option) { return option->get_positional(); };
  if (std::ranges::any_of(options, is_word))
    for (CLI::Option* option : options)
      if (!is_word(option) && option->get_items_expected_max() > 1 &&
          !std::ranges::any_of(option->get_excludes(), is_word)) {
        option->allow_extra_args(false);
        if (const std::string told = option->get_description();
            told.find("again") == std::string::npos)
          option->description(told + "; again for more");
      }
  for (CLI::App* below : command.get_subcommands(nullptr)) take_one_argument_each(*below);
}

// Whatever a message quotes, a terminal gets a line that it can show.
void tell(const std::exception& error) {
  std::cerr << "minibert: " << minibert::excerpt(minibert::first_line(error), kLongestMessage)
            << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  using namespace minibert;
  std::set_terminate(on_terminate);
  std::set_new_handler(on_no_memory);
  auto logger = spdlog::stderr_color_mt("minibert");
  logger->set_pattern("%^%v%$");
  spdlog::set_default_logger(logger);

  set_shipped_folder(build_info::source_dir);
  CLI::App app{"minibert: train a mini BERT for Korean, compare it, and fill masks with it"};
  app.require_subcommand(1);
  app.fallthrough(false);
  add_version(app);
  // commands (one line each, alphabetical)
  add_attention(app);
  add_compact(app);
  add_compare(app);
  add_completion(app);
  add_data(app);
  add_diff(app);
  add_embed(app);
  add_evaluate(app);
  add_export(app);
  add_fill_mask(app);
  add_import(app);
  add_inspect(app);
  add_manual(app);
  add_new(app);
  add_nsp(app);
  add_predict(app);
  add_query(app);
  add_report(app);
  add_reproduce(app);
  add_run(app);
  add_tokenizer(app);
  add_verify(app);
  add_watch(app);
  add_renamed(app);
  take_one_argument_each(app);
  // Before any command is run on what was understood of its arguments.
  app.parse_complete_callback([&app, argv] {
    if (memory_lacked) throw std::bad_alloc();
    if (app.got_subcommand("run") || app.got_subcommand("reproduce")) sleep_at_barriers(argv);
  });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return checked(app.exit(error));  // --help
    if (memory_lacked) {
      tell_no_memory();
      return 1;
    }
    tell(usage_error(error.what()));
    return 2;
  } catch (const Error& error) {
    tell(error);
    return error.kind() == ErrorKind::usage ? 2 : 1;
  } catch (const std::bad_alloc&) {
    tell_no_memory();
    return 1;
  } catch (const std::exception& error) {
    tell(error);
    return 1;
  }
  return checked(0);
}

// minibert watch: running experiments' curves in the terminal.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "report/live.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

constexpr auto kRefresh = std::chrono::seconds(2);
constexpr int kPlotHeight = 4, kNarrowest = 30, kWidest = 90, kBesidePlot = 14;
constexpr std::string_view kLogEnd = ".progress.jsonl";

struct WatchArguments {
  std::string what, results = "results";
};

int plot_width() {
  const std::optional<size_t> columns = terminal_columns();
  return std::clamp(columns ? static_cast<int>(*columns) - kBesidePlot : 60, kNarrowest, kWidest);
}

// The record of a log: "a/bert-s1.progress.jsonl" → "a/bert-s1.h5".
std::string record_of(std::string log) {
  return log.replace(log.size() - kLogEnd.size(), kLogEnd.size(), ".h5");
}

// Returns the records to watch: a file, or those of an experiment (or all) with a log.
std::vector<std::string> records(const WatchArguments& arguments) {
  if (arguments.what.ends_with(kLogEnd)) return {record_of(arguments.what)};
  if (arguments.what.ends_with(".h5")) return {arguments.what};
  const fs::path folder = fs::path(arguments.results) / arguments.what;
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error))
    if (entry.path().string().ends_with(kLogEnd)) found.push_back(record_of(entry.path().string()));
  if (found.empty())
    throw usage_error(folder.string() +
                      ": has no progress log of a run, expected an experiment's "
                      "name or a record");
  std::ranges::sort(found);
  return found;
}

void watch(const WatchArguments& arguments) {
  const bool live = isatty(STDOUT_FILENO) != 0;
  for (bool running = true; running;) {
    std::string text;
    running = false;
    const std::vector<std::string> all = records(arguments);
    for (const std::string& record : all) try {
        const LiveRun run = read_live(record);
        running = running || run.status == "running";
        text += live_text(run, plot_width(), kPlotHeight) + "\n";
      } catch (const Error& error) {  // the others can be watched
        if (all.size() == 1) throw;
        text += std::string(error.what()) + "\n\n";
      }
    // Moves home and clears the last picture.
    std::cout << (live ? "\033[H\033[J" : "") << text << std::flush;
    if (!live) return;
    if (running) std::this_thread::sleep_for(kRefresh);
  }
}

}  // namespace

void add_watch(CLI::App& app) {
  auto arguments = std::make_shared<WatchArguments>();
  CLI::App* command =
      app.add_subcommand("watch", "show running experiments' curves until they end");
  command->add_option("what", arguments->what,
                      "an experiment's name, a record or its progress log (default: all)");
  command->add_option("--results", arguments->results, "where runs are stored")
      ->capture_default_str();
  command->callback([arguments] { watch(*arguments); });
}

}  // namespace minibert

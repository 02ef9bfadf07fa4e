// minibert compare: the table of an experiment, and the differences between its arms, from its
// stored runs alone.
#include "compare/compare.h"

#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "core/error.h"

namespace minibert {
namespace {

struct Options {
  std::string name, profile;
  std::vector<std::string> runs;
  std::string results = "results";
  std::string format = "table";
  bool json = false;
};

void compare(const Options& options) {
  const Format format = options.json ? Format::json : parse_format(options.format);
  const auto groups = options.runs.empty()
                          ? find_runs(options.results, options.name, options.profile)
                          : std::vector<std::vector<std::string>>{options.runs};
  std::vector<Comparison> comparisons;
  size_t records = 0;
  for (const auto& paths : groups) {
    records += paths.size();
    Comparison comparison = compare_runs(paths);
    for (const std::string& warning : comparison.warnings)
      std::cerr << "warning: " << warning << "\n";
    if (!comparison.arms.empty()) comparisons.push_back(std::move(comparison));
  }
  if (comparisons.empty())
    throw Error("no finished run to compare among " + std::to_string(records));
  std::cout << render(comparisons, format);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "compare", "compare stored runs: a row an arm, a confidence interval a pair of arms");
  auto* name = command->add_option("--name", options->name, "the experiment (default: all)");
  auto* profile = command->add_option("--profile", options->profile, "the profile (default: all)");
  auto* results = command->add_option("--results", options->results, "where runs are stored")
                      ->capture_default_str();
  command->add_option("--runs", options->runs, "these records, separated by commas, instead")
      ->delimiter(',')
      ->excludes(name)
      ->excludes(profile)
      ->excludes(results);
  auto* format = command->add_option("--format", options->format, "table, json, csv or markdown")
                     ->capture_default_str();
  command->add_flag("--json", options->json, "same as --format json")->excludes(format);
  command->callback([options] { compare(*options); });
}

}  // namespace minibert

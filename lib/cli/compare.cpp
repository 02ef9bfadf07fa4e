// minibert compare: an experiment's table and the differences of its arms, from stored runs.
#include "compare/compare.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "compare/render.h"
#include "compare/side_by_side.h"
#include "core/error.h"
#include "core/files.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "data/splits/clusters.h"
#include "experiment/experiment_file.h"
#include "task/all/registry.h"
#include "text/byte_source.h"
#include "words/phrases.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

struct CompareArguments {
  std::string profile;
  std::vector<std::string> names, runs;
  std::string results = "results";
  std::string format = "table";
  bool json = false;
  std::string leave_out;
  std::vector<std::string> figures;
  CompareOptions how;
  SideBySide side_by_side;
};

// One id a line; empty lines and the end of a Windows line aside.
std::vector<std::string> read_ids(const std::string& path) {
  std::vector<std::string> ids;
  std::string text = read_file(path);
  drop_byte_order_mark(&text);
  std::istringstream lines(text);
  for (std::string line; next_line(lines, &line);) {
    while (!line.empty() && std::string_view(" \t\r").find(line.back()) != std::string_view::npos)
      line.pop_back();
    if (!line.empty()) ids.push_back(line);
  }
  if (ids.empty()) throw usage_error(path + ": no ids, expected one a line");
  return ids;
}

// Compares each of several folders. Leaves out folders whose runs lack a key of --group-by, and
// keeps the order of those without the figure of --sort; throws a usage Error if all lack it.
std::vector<Comparison> compare_folders(const std::vector<std::vector<std::string>>& folders,
                                        const CompareOptions& how, const std::string& baseline) {
  std::vector<Comparison> comparisons;
  std::optional<Error> lacking;
  bool sorted = false;
  CompareOptions unsorted = how;
  unsorted.sort.clear();
  const auto add = [&](const std::vector<std::string>& paths, const CompareOptions& options) {
    try {
      comparisons.push_back(compare_runs(paths, all_measures(), options, baseline));
      if (how.runs_were_found)
        comparisons.back().folder = fs::path(paths.front()).parent_path().filename().string();
      return true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      if (!lacking) lacking = error;
      return false;
    }
  };
  for (const auto& paths : folders) {
    if (add(paths, how))
      sorted = sorted || !comparisons.back().arms.empty();
    else if (!how.sort.empty())
      add(paths, unsorted);
  }
  const bool any = std::any_of(comparisons.begin(), comparisons.end(),
                               [](const Comparison& one) { return !one.arms.empty(); });
  if (lacking && (comparisons.empty() || (any && !sorted))) throw *lacking;
  return comparisons;
}

void compare(const CompareArguments& options) {
  const Format format = options.json ? Format::json : parse_format(options.format);
  CompareOptions how = options.how;
  if (!options.leave_out.empty()) how.left_out = read_ids(options.leave_out);
  how.clusters_of_data = registered_clusters();
  how.questions_of = questions_of;
  how.is_public = registered_public();
  how.runs_were_found = options.runs.empty();
  std::vector<std::vector<std::string>> groups;
  if (!options.runs.empty()) groups.push_back(options.runs);
  if (options.runs.empty() && options.names.empty())
    groups = find_runs(shipped_path(options.results), "", options.profile);
  for (const std::string& name : options.names)
    for (auto& group : find_runs(results_with(options.results, name), name, options.profile))
      groups.push_back(std::move(group));
  std::vector<Comparison> comparisons;
  size_t records = 0;
  for (const auto& paths : groups) records += paths.size();
  for (Comparison& comparison : compare_folders(groups, how, options.side_by_side.baseline)) {
    for (const std::string& warning : comparison.warnings)
      std::cerr << "warning: " << told(warning) << "\n";
    if (!comparison.arms.empty()) comparisons.push_back(std::move(comparison));
  }
  if (comparisons.empty())
    throw Error("no finished run to compare among " + std::to_string(records));
  std::vector<Measure> measures = all_measures();
  if (!options.figures.empty()) measures = choose_figures(options.figures, measures, &comparisons);
  if (!options.side_by_side.columns.empty())
    std::cout << render_side_by_side(comparisons, measures, options.side_by_side, format);
  else
    std::cout << render(comparisons, measures, format, terminal_columns().value_or(SIZE_MAX));
}

}  // namespace

void add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand(
      "compare", "compare stored runs: a row an arm, a confidence interval a pair of arms");
  auto* name = command
                   ->add_option("EXPERIMENT,--name", options->names,
                                "the experiment, or several separated by commas (default: all)")
                   ->delimiter(',');
  auto* profile = command->add_option("--profile", options->profile,
                                      "folder of a profile's runs, as quick-2-core (default: all)");
  auto* results = command->add_option("--results", options->results, "where runs are stored")
                      ->capture_default_str();
  command->add_option("--runs", options->runs, "these records, separated by commas, instead")
      ->delimiter(',')
      ->transform(shipped_path)
      ->excludes(name)
      ->excludes(profile)
      ->excludes(results);
  auto* format = command->add_option("--format", options->format, "table, json or markdown")
                     ->type_name("{table,json,markdown}")
                     ->capture_default_str();
  command->add_flag("--json", options->json, "same as --format json")->excludes(format);
  command->add_option("--leave-out", options->leave_out,
                      "file of example ids to leave out, one a line");
  command
      ->add_option("--group-by", options->how.group_by,
                   "one row for each value of KEY,… (results/README.md)")
      ->delimiter(',');
  command->add_option("--sort", options->how.sort, "rows by this figure, best first");
  auto* figures = command->add_option("--figures", options->figures,
                                      "these figures alone, separated by commas, in this order");
  figures->delimiter(',');
  auto* pairs = command->add_option("--pairs", options->how.pairs,
                                    "only these differences, in this order: ARM-BASELINE,…");
  pairs->delimiter(',');
  auto* columns = command
                      ->add_option("--side-by-side", options->side_by_side.columns,
                                   "one table of all arms with FIGURE,… or EXPERIMENT:FIGURE,…")
                      ->delimiter(',')
                      ->excludes(figures)
                      ->excludes(pairs);
  command
      ->add_option("--baseline", options->side_by_side.baseline,
                   "with --side-by-side: the arm that others are compared with")
      ->needs(columns);
  command->callback([options] { compare(*options); });
}

}  // namespace minibert

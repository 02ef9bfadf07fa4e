// minibert compare: the table of an experiment, and the differences between its arms, from its
// stored runs alone.
#include "compare/compare.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "compare/best_of.h"
#include "compare/equal_budget.h"
#include "compare/learning_curve.h"
#include "compare/render.h"
#include "compare/runs.h"
#include "compare/side_by_side.h"
#include "core/error.h"
#include "core/files.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "data/splits/clusters.h"
#include "task/all/registry.h"
#include "text/byte_source.h"

namespace minibert {
namespace {

struct CompareArguments {
  std::string profile;
  std::vector<std::string> names, runs;
  std::string results = "results";
  std::string format = "table";
  bool json = false;
  std::string leave_out;
  std::string resample = "clusters";
  std::string data_dir;
  std::vector<std::string> filters, figures, curves;
  CompareOptions how;
  SideBySide side_by_side;
  std::string expected_best, at_equal;
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

std::vector<KeyValue> read_filters(const std::vector<std::string>& texts) {
  std::vector<KeyValue> filters;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw usage_error("--filter: '" + text + "', expected KEY=VALUE");
    filters.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return filters;
}

// Compares each of several folders. It leaves out those whose runs lack a key of --filter or --group-by, and keeps
// the order of those that lack the figure of --sort; a usage Error where all do.
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

// Does something with each of several folders, but for those whose runs lack a key or a figure; a usage Error where all
// do.
template <class Do>
void for_each_folder(const std::vector<std::vector<std::string>>& folders, const Do& one) {
  std::optional<Error> lacking;
  size_t done = 0;
  for (const auto& paths : folders) try {
      one(paths);
      ++done;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      if (!lacking) lacking = error;
    }
  if (lacking && done == 0) throw *lacking;
}

std::string in_words(const std::vector<KeyValue>& filters) {
  std::vector<std::string> words;
  for (const KeyValue& filter : filters) words.push_back(filter.key + "=" + filter.value);
  return joined(words);
}

// What the runs have instead of the values that were asked for: "; folder is full-1-core, quick-2-core".
std::string values_there(const std::vector<std::vector<std::string>>& groups,
                         const std::vector<KeyValue>& filters) {
  constexpr size_t kMost = 20;
  std::vector<std::string> paths, ignored;
  for (const auto& group : groups) paths.insert(paths.end(), group.begin(), group.end());
  const std::vector<StoredRun> runs = load_finished(paths, true, ignored);
  std::string out;
  std::set<std::string> keys;
  for (const KeyValue& filter : filters) {
    std::vector<std::string> values = values_of(runs, filter.key);
    if (values.empty() || std::ranges::count(values, filter.value) > 0) continue;
    if (!keys.insert(filter.key).second) continue;
    if (values.size() > kMost) values.resize(kMost), values.push_back("…");
    out += "; " + filter.key + " is " + joined(values);
  }
  return out;
}

void print_at_equal(const std::vector<std::vector<std::string>>& groups, const CompareOptions& how,
                    const CompareArguments& options, Format format) {
  const Budget budget = budget_named(options.at_equal, "--at-equal");
  std::vector<EqualBudget> all;
  for_each_folder(groups, [&](const std::vector<std::string>& paths) {
    EqualBudget equal = compare_at_equal(paths, budget, how);
    if (format == Format::csv || equal.arms.empty())
      for (const std::string& note : equal.notes) std::cerr << "note: " << note << "\n";
    if (!equal.arms.empty()) all.push_back(std::move(equal));
  });
  if (all.empty())
    throw Error("--at-equal " + options.at_equal +
                ": no finished run tells what it had spent when it was measured");
  std::cout << render(all, all_measures(), options.figures, format,
                      terminal_columns().value_or(SIZE_MAX));
}

void print_curves(const std::vector<std::vector<std::string>>& groups, const CompareOptions& how,
                  const CompareArguments& options, Format format) {
  std::string out;
  for_each_folder(groups, [&](const std::vector<std::string>& paths) {
    std::vector<std::string> warnings;
    const std::string one =
        render_learning_curves(paths, how, all_measures(), options.curves, format,
                               terminal_columns().value_or(SIZE_MAX), &warnings);
    for (const std::string& warning : warnings) std::cerr << "warning: " << warning << "\n";
    out += (out.empty() || one.empty() ? "" : "\n") + one;
  });
  if (out.empty()) throw Error("--curves: no finished run");
  std::cout << out;
}

void compare(const CompareArguments& options) {
  const Format format = options.json ? Format::json : parse_format(options.format);
  CompareOptions how = options.how;
  how.filters = read_filters(options.filters);
  if (!options.leave_out.empty()) how.left_out = read_ids(options.leave_out);
  if (options.resample == "examples") how.resampling = Resampling::examples;
  how.clusters_of_data = registered_clusters(options.data_dir);
  how.skip_damaged = options.runs.empty();  // those that were found, not those that were named
  std::vector<std::vector<std::string>> groups;
  if (!options.runs.empty()) groups.push_back(options.runs);
  if (options.runs.empty() && options.names.empty())
    groups = find_runs(shipped_path(options.results), "", options.profile);
  for (const std::string& name : options.names)
    for (auto& group : find_runs(results_with(options.results, name), name, options.profile))
      groups.push_back(std::move(group));
  if (!options.at_equal.empty()) {
    print_at_equal(groups, how, options, format);
    return;
  }
  if (!options.curves.empty()) {
    print_curves(groups, how, options, format);
    return;
  }
  std::vector<Comparison> comparisons;
  size_t records = 0;
  for (const auto& paths : groups) records += paths.size();
  for (Comparison& comparison : compare_folders(groups, how, options.side_by_side.baseline)) {
    for (const std::string& warning : comparison.warnings)
      std::cerr << "warning: " << warning << "\n";
    if (!comparison.arms.empty()) comparisons.push_back(std::move(comparison));
  }
  if (comparisons.empty())
    throw Error("no finished run " +
                (how.filters.empty() ? "to compare" : "has " + in_words(how.filters)) + " among " +
                std::to_string(records) + values_there(groups, how.filters));
  std::vector<Measure> measures = all_measures();
  if (!options.figures.empty()) measures = choose_figures(options.figures, measures, &comparisons);
  if (!options.side_by_side.columns.empty())
    std::cout << render_side_by_side(comparisons, measures, options.side_by_side, format);
  else if (!options.expected_best.empty())
    std::cout << render_expected_best(comparisons, measures, options.expected_best, format);
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
  auto* profile = command->add_option("--profile", options->profile, "the profile (default: all)");
  auto* results = command->add_option("--results", options->results, "where runs are stored")
                      ->capture_default_str();
  command->add_option("--runs", options->runs, "these records, separated by commas, instead")
      ->delimiter(',')
      ->transform(shipped_path)
      ->excludes(name)
      ->excludes(profile)
      ->excludes(results);
  auto* format = command->add_option("--format", options->format, "table, json, csv or markdown")
                     ->type_name("{table,json,csv,markdown}")
                     ->capture_default_str();
  command->add_flag("--json", options->json, "same as --format json")->excludes(format);
  auto* leave_out = command->add_option(
      "--leave-out", options->leave_out,
      "a file of ids, one a line: examples that no figure made from predictions counts");
  command
      ->add_option(
          "--resample", options->resample,
          "what an interval lets vary: clusters (articles, shared texts) and an arm's runs, or "
          "examples, as if each were independent, by plain percentiles")
      ->check(CLI::IsMember({"clusters", "examples"}))
      ->capture_default_str();
  command->add_option(
      "--data-dir", options->data_dir,
      "data folder that tells which examples of older records belong together (else "
      "MINIBERT_DATA, else data/)");
  command->add_option(
      "--filter", options->filters,
      "KEY=VALUE: only runs with this value of folder (of the experiment), file (without .h5), "
      "experiment, profile, arm, seed or a key "
      "of their configuration, environment.… or data.…; again for another key, or for "
      "another value that will do");
  command
      ->add_option("--group-by", options->how.group_by,
                   "a row for every value of these keys, separated by commas, instead of an arm")
      ->delimiter(',');
  auto* sort = command->add_option("--sort", options->how.sort, "rows by this figure, best first");
  auto* figures = command->add_option("--figures", options->figures,
                                      "these figures alone, separated by commas, in this order");
  figures->delimiter(',');
  auto* pairs = command->add_option(
      "--pairs", options->how.pairs,
      "ARM-BASELINE: these differences alone, separated by commas, in this order");
  pairs->delimiter(',');
  auto* columns =
      command
          ->add_option("--side-by-side", options->side_by_side.columns,
                       "one table of the arms of all these runs with these figures, separated by "
                       "commas, each FIGURE or EXPERIMENT:FIGURE")
          ->delimiter(',')
          ->excludes(figures)
          ->excludes(pairs);
  command
      ->add_option("--baseline", options->side_by_side.baseline,
                   "with --side-by-side: the arm that others are compared with")
      ->needs(columns);
  auto* best = command->add_option(
      "--expected-best", options->expected_best,
      "instead: what the best of 1, 2, 3, … rows, as of a sweep, is expected to reach in "
      "this figure");
  best->excludes(columns);
  auto* equal = command->add_option(
      "--at-equal", options->at_equal,
      "flops, seconds or tokens: instead, the arms' dev figures where all had spent as "
      "much as the run that spent least");
  equal->excludes(columns)->excludes(pairs)->excludes(best)->excludes(sort)->excludes(leave_out);
  command
      ->add_option("--curves", options->curves,
                   "instead, these figures, separated by commas, at every evaluation: of the dev "
                   "split, and of training since the one before")
      ->delimiter(',')
      ->excludes(columns)
      ->excludes(pairs)
      ->excludes(best)
      ->excludes(figures)
      ->excludes(equal)
      ->excludes(sort)
      ->excludes(leave_out);
  command->callback([options] { compare(*options); });
}

}  // namespace minibert

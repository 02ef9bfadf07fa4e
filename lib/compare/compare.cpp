#include "compare/compare.h"

#include <algorithm>

#include "compare/examples.h"
#include "compare/runs.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "core/text.h"
#include "record/inputs.h"

namespace minibert {
namespace {

std::string text_at(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  if (!json.is_object() || found == json.end()) return "unknown";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

void add_figures(RunGroup& group) {
  std::map<std::string, std::vector<double>> values;
  for (const StoredRun* run : group.runs)
    for (const auto& [name, value] : run->record.summary) values[name].push_back(value);
  for (const auto& [name, list] : values) group.summary.figures[name] = figure_of(list);
}

// Best first; without the figure last.
void sort_by(const std::string& name, std::span<const Measure> measures,
             std::vector<RunGroup>& groups) {
  std::vector<std::string> names;
  for (const RunGroup& group : groups)
    for (const auto& [figure, unused] : group.summary.figures) add_once(names, figure);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    const std::string near = nearest(name, names);
    throw usage_error("--sort: no run has a figure '" + name + "'" +
                      (near.empty() ? "" : " (did you mean '" + near + "'?)"));
  }
  const auto measure = std::find_if(measures.begin(), measures.end(),
                                    [&](const Measure& m) { return m.name == name; });
  const bool descending = measure != measures.end() && measure->better == Better::higher;
  std::stable_sort(groups.begin(), groups.end(), [&](const RunGroup& a, const RunGroup& b) {
    const auto of_a = a.summary.figures.find(name);
    const auto of_b = b.summary.figures.find(name);
    if (of_a == a.summary.figures.end() || of_b == b.summary.figures.end())
      return of_a != a.summary.figures.end() && of_b == b.summary.figures.end();
    return descending ? of_a->second.mean > of_b->second.mean
                      : of_a->second.mean < of_b->second.mean;
  });
}

// /data without what arms of one experiment may differ in: what they start from, with overrides the
// tokenizer and what it makes of the same files, and why this data set was taken.
nlohmann::json data_of(const RunRecord& record) {
  nlohmann::json data = record.data;
  for (const char* own :
       {kStartWeights, kLearntFrom, "choice", "splits", "statistics", "tokenizer_sha256"})
    data.erase(own);
  return data;
}

void warn_of_unequal_conditions(const std::vector<StoredRun>& runs, Comparison& comparison) {
  auto& warnings = comparison.warnings;
  if (comparison.profiles.size() > 1)
    warnings.push_back("the runs are of different profiles: " + joined(comparison.profiles));
  if (comparison.data.size() > 1)
    warnings.push_back("the runs used different data: " + joined(comparison.data));
  else if (std::any_of(runs.begin(), runs.end(), [&](const StoredRun& run) {
             return data_of(run.record) != data_of(runs[0].record);
           }))
    warnings.push_back("the runs used different versions of the data " + joined(comparison.data));
  for (const char* key : {"hardware", "device", "precision", "threads"}) {
    std::vector<std::string> values;
    for (const StoredRun& run : runs) add_once(values, text_at(run.record.environment, key));
    if (values.size() > 1)
      warnings.push_back("the runs differ in " + std::string(key) + " (" + joined(values) +
                         "): their speeds do not compare");
  }
}

// Runs whose predictions cannot be read are left out with a warning, or an Error.
void load_predictions(std::vector<StoredRun>& runs, bool skip_damaged,
                      std::vector<std::string>& warnings) {
  for (auto run = runs.begin(); run != runs.end();) {
    try {
      run->record.predictions = load_record(run->path, Load::predictions).predictions;
      ++run;
    } catch (const Error& error) {
      if (!skip_damaged) throw;
      warnings.push_back(std::string(error.what()) + "; left out");
      run = runs.erase(run);
    }
  }
}

bool have_differences(const std::vector<RunGroup>& groups) {
  return groups.size() > 1 && groups.size() <= kMostArmsWithDifferences;
}

}  // namespace

Comparison compare_runs(const std::vector<std::string>& paths, std::span<const Measure> measures,
                        const CompareOptions& options) {
  Comparison comparison;
  std::vector<StoredRun> runs =
      filtered(load_finished(paths, options.skip_damaged, comparison.warnings), options.filters);
  std::vector<RunGroup> groups = grouped(runs, options.group_by);
  if (have_differences(groups) || !options.left_out.empty()) {
    load_predictions(runs, options.skip_damaged, comparison.warnings);
    groups = grouped(runs, options.group_by);  // of those that are left
  }
  if (runs.empty()) return comparison;
  for (const StoredRun& run : runs) {
    add_once(comparison.experiments, run.record.experiment);
    add_once(comparison.profiles, run.record.profile);
    add_once(comparison.data, text_at(run.record.data, "id"));
  }
  for (RunGroup& group : groups) add_figures(group);
  const bool differ = have_differences(groups);
  if (differ || !options.left_out.empty()) align_groups(groups, options.left_out, comparison);
  if (!options.left_out.empty()) remake_figures(groups, measures, comparison.warnings);
  if (!options.sort.empty()) sort_by(options.sort, measures, groups);
  if (differ && comparison.examples > 0)
    comparison.differences =
        differences_of(groups, static_cast<size_t>(comparison.examples), measures);
  if (groups.size() > kMostArmsWithDifferences)
    comparison.warnings.push_back(
        std::to_string(groups.size()) + " rows: no intervals for more than " +
        std::to_string(kMostArmsWithDifferences) + "; choose with --filter");
  for (RunGroup& group : groups) comparison.arms.push_back(std::move(group.summary));
  warn_of_unequal_conditions(runs, comparison);
  return comparison;
}

}  // namespace minibert

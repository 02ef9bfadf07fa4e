#include "compare/compare.h"

#include <algorithm>

#include "compare/intervals.h"
#include "compare/judge.h"
#include "compare/scores.h"
#include "compare/sides.h"

namespace minibert {
namespace {

// For each measure, over all differences that have an interval of it.
void add_holm(std::vector<ArmDifference>* differences) {
  std::map<std::string, std::vector<double>> families;
  for (const ArmDifference& one : *differences)
    for (const auto& [measure, interval] : one.intervals) families[measure].push_back(interval.p);
  std::map<std::string, size_t> next;
  for (auto& [measure, family] : families) family = holm(family);
  for (ArmDifference& one : *differences)
    for (const auto& [measure, interval] : one.intervals)
      one.p_holm[measure] = families.at(measure)[next[measure]++];
}

// In every measure that both arms of a pair have a statistic of.
std::vector<ArmDifference> differences_of(const std::vector<ArmScores>& arms,
                                          const std::vector<ArmPair>& pairs, const Sides& sides,
                                          std::span<const Measure> measures) {
  std::vector<Statistic> statistics;
  std::vector<std::map<std::string, size_t>> place(arms.size());  // of a measure among statistics
  for (size_t arm = 0; arm < arms.size(); ++arm)
    for (const auto& [measure, statistic] : arms[arm].statistics) {
      place[arm][measure] = statistics.size();
      statistics.push_back(statistic);
    }
  const Bootstrap bootstrap(sides.examples, sides.clusters, statistics, sides.resampling);

  std::vector<ArmDifference> differences;
  for (const auto& [other, base] : pairs) {
    ArmDifference difference{arms[other].summary.label, arms[base].summary.label, {}};
    for (const auto& [measure, at] : place[other])
      if (const auto found = place[base].find(measure); found != place[base].end()) {
        Interval& made = difference.intervals[measure] = bootstrap.difference(at, found->second);
        if (const auto of = std::ranges::find(measures, measure, &Measure::name);
            of != measures.end())
          keep_difference_within(*of, &made);
      }
    if (!difference.intervals.empty()) differences.push_back(std::move(difference));
  }
  add_holm(&differences);
  return differences;
}

}  // namespace

Comparison compare_runs(const std::vector<std::string>& paths, std::span<const Measure> measures,
                        const CompareOptions& options, const std::string& baseline) {
  Sides sides = load_sides(paths, options, baseline);
  Comparison comparison;
  comparison.experiments = std::move(sides.experiments);
  comparison.profiles = std::move(sides.profiles);
  comparison.data = std::move(sides.data);
  comparison.examples = static_cast<int64_t>(sides.examples);
  comparison.left_out = static_cast<int64_t>(sides.left_out);
  comparison.clusters = static_cast<int64_t>(sides.clusters.count);
  comparison.clusters_known = sides.clusters_known;
  comparison.resampling = sides.resampling;
  comparison.warnings = std::move(sides.warnings);
  if (sides.all.empty()) return comparison;

  std::vector<ArmScores> arms = scores_of(sides, measures, &comparison.warnings);
  if (!options.sort.empty()) sort_by(options.sort, measures, &arms);

  std::vector<ArmNames> names;
  for (const ArmScores& arm : arms) names.push_back(arm.summary);
  const std::vector<ArmPair> pairs = pairs_of(names, options, baseline);
  if (!pairs.empty() && sides.examples > 0)
    comparison.differences = differences_of(arms, pairs, sides, measures);
  if (arms.size() > kMostArmsWithDifferences && options.pairs.empty() && baseline.empty())
    comparison.warnings.push_back(
        std::to_string(arms.size()) + " rows: no intervals for more than " +
        std::to_string(kMostArmsWithDifferences) + "; choose with --filter or --pairs");
  for (ArmScores& arm : arms) comparison.arms.push_back(std::move(arm.summary));
  // Arms of one name are not one arm where they are of several experiments.
  if (comparison.experiments.size() == 1 && comparison.profiles.size() == 1)
    comparison.expected = judge(sides.registered, comparison, measures, &comparison.warnings);
  // What was registered is about all runs and examples, not about those that somebody picks afterwards.
  const bool chosen = !options.group_by.empty() || !options.filters.empty() ||
                      !options.left_out.empty() ||
                      options.resampling != Resampling::clusters_and_runs;
  for (Judged& one : comparison.expected)
    if (one.why.empty() && (chosen || sides.picked.contains(one.expected.arm) ||
                            sides.picked.contains(one.expected.baseline)))
      one.verdict = "open", one.why = "these runs, examples or intervals were chosen afterwards";
  std::ranges::move(sides.unequal, std::back_inserter(comparison.warnings));
  return comparison;
}

}  // namespace minibert

#include "compare/compare.h"

#include <algorithm>

#include "compare/scores.h"
#include "compare/sides.h"

namespace minibert {
namespace {

// Of every two arms, in every measure that both have a statistic of.
std::vector<ArmDifference> differences_of(const std::vector<ArmScores>& arms, size_t examples) {
  std::vector<Statistic> statistics;
  std::vector<std::map<std::string, size_t>> place(arms.size());  // of a measure among statistics
  for (size_t arm = 0; arm < arms.size(); ++arm)
    for (const auto& [measure, statistic] : arms[arm].statistics) {
      place[arm][measure] = statistics.size();
      statistics.push_back(statistic);
    }
  const std::vector<Estimate> estimates = bootstrap(examples, statistics);

  std::vector<ArmDifference> differences;
  for (size_t base = 0; base < arms.size(); ++base)
    for (size_t other = base + 1; other < arms.size(); ++other) {
      ArmDifference difference{arms[other].summary.label, arms[base].summary.label, {}};
      for (const auto& [measure, at] : place[other])
        if (const auto found = place[base].find(measure); found != place[base].end())
          difference.intervals[measure] = difference_of(estimates[at], estimates[found->second]);
      if (!difference.intervals.empty()) differences.push_back(std::move(difference));
    }
  return differences;
}

}  // namespace

Comparison compare_runs(const std::vector<std::string>& paths, std::span<const Measure> measures,
                        const CompareOptions& options) {
  Sides sides = load_sides(paths, options);
  Comparison comparison;
  comparison.experiments = std::move(sides.experiments);
  comparison.profiles = std::move(sides.profiles);
  comparison.data = std::move(sides.data);
  comparison.examples = static_cast<int64_t>(sides.examples);
  comparison.left_out = static_cast<int64_t>(sides.left_out);
  comparison.warnings = std::move(sides.warnings);
  if (sides.all.empty()) return comparison;

  std::vector<ArmScores> arms = scores_of(sides, measures, &comparison.warnings);
  if (!options.sort.empty()) sort_by(options.sort, measures, &arms);

  if (have_differences(arms.size()) && sides.examples > 0)
    comparison.differences = differences_of(arms, sides.examples);
  if (arms.size() > kMostArmsWithDifferences)
    comparison.warnings.push_back(
        std::to_string(arms.size()) + " rows: no intervals for more than " +
        std::to_string(kMostArmsWithDifferences) + "; choose with --filter");
  for (ArmScores& arm : arms) comparison.arms.push_back(std::move(arm.summary));
  std::ranges::move(sides.unequal, std::back_inserter(comparison.warnings));
  return comparison;
}

}  // namespace minibert

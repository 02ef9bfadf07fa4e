#include "compare/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/answers.h"
#include "compare/intervals.h"
#include "compare/scores.h"
#include "compare/sides.h"

namespace minibert {
namespace {

// Makes intervals of arms and of their differences, in every measure that they have a statistic of.
class Intervals {
 public:
  Intervals(std::vector<ArmScores>* arms, const Sides& sides, std::span<const Measure> measures)
      : arms_(*arms), measures_(measures), places_(arms->size()), jackknife_(made(sides)) {
    for (size_t arm = 0; arm < arms_.size(); ++arm)
      for (const auto& [measure, at] : places_[arm]) {
        Interval& own = arms_[arm].summary.intervals[measure] = jackknife_.of(at);
        if (const Measure* known = measure_of(measure)) keep_within(*known, &own);
      }
  }

  ArmDifference of(const ArmPair& pair) const {
    const ArmSummary &arm = arms_[pair.arm].summary, &base = arms_[pair.baseline].summary;
    ArmDifference out{arm.label, base.label, {}};
    out.runs_measured = is_measured(arm) && is_measured(base);
    for (const auto& [measure, at] : places_[pair.arm]) {
      const auto found = places_[pair.baseline].find(measure);
      if (found == places_[pair.baseline].end()) continue;
      Interval& made = out.intervals[measure] = jackknife_.difference(at, found->second);
      if (const Measure* known = measure_of(measure)) keep_difference_within(*known, &made);
      if (!out.runs_measured) forget_chance(&made);
    }
    return out;
  }

 private:
  static bool is_measured(const ArmSummary& arm) { return arm.is_floor || arm.seeds.size() > 1; }
  const Measure* measure_of(const std::string& name) const {
    const auto found = std::ranges::find(measures_, name, &Measure::name);
    return found == measures_.end() ? nullptr : &*found;
  }
  Jackknife made(const Sides& sides) {
    std::vector<Statistic> statistics;
    for (size_t arm = 0; arm < arms_.size(); ++arm)
      for (auto& [measure, statistic] : arms_[arm].statistics) {
        places_[arm][measure] = statistics.size();
        statistics.push_back(std::move(statistic));
      }
    return {sides.examples, sides.clusters, statistics};
  }

  std::vector<ArmScores>& arms_;
  std::span<const Measure> measures_;
  std::vector<std::map<std::string, size_t>> places_;  // of an arm's measures among the statistics
  Jackknife jackknife_;
};

bool same_pair(const ArmPair& a, const ArmPair& b) {
  return (a.arm == b.arm && a.baseline == b.baseline) ||
         (a.arm == b.baseline && a.baseline == b.arm);
}

// The pairs of arms that the experiment asks about, and how many its questions are. One experiment's questions count
// where rows are arms; else every two arms are asked about.
struct Family {
  std::vector<ArmPair> pairs;
  size_t size = 0;
  bool has_questions = false;
};

Family family_of(const std::vector<ArmNames>& arms, const std::vector<std::string>& experiments,
                 const CompareOptions& options) {
  Family out;
  const bool by_arm =
      options.group_by.empty() || options.group_by == std::vector<std::string>{"arm"};
  const std::vector<Question> questions = by_arm && experiments.size() == 1 && options.questions_of
                                              ? options.questions_of(experiments[0])
                                              : std::vector<Question>();
  out.has_questions = !questions.empty();
  out.size = out.has_questions ? questions.size() : arms.size() * (arms.size() - 1) / 2;
  for (size_t base = 0; base < arms.size(); ++base)
    for (size_t other = base + 1; other < arms.size(); ++other) {
      const auto asks = [&](const Question& one) {
        return (one.arm == arms[base].arm && one.baseline == arms[other].arm) ||
               (one.arm == arms[other].arm && one.baseline == arms[base].arm);
      };
      if (questions.empty() || std::ranges::any_of(questions, asks))
        out.pairs.push_back({other, base});
    }
  // An arm may have a row in each of several profiles.
  out.size = std::max(out.size, out.has_questions ? out.pairs.size() : 0);
  return out;
}

// Makes the pairs' differences, with p corrected by Holm for the whole family, shown or not.
std::vector<ArmDifference> differences_of(const Intervals& intervals,
                                          const std::vector<ArmPair>& shown, const Family& family) {
  std::vector<ArmDifference> differences;
  std::map<std::string, std::vector<double>> p;                      // by measure, of the family
  std::map<std::string, std::vector<std::pair<size_t, size_t>>> at;  // places in p, of differences
  const auto add = [&](const ArmPair& pair, bool is_asked, bool is_shown) {
    ArmDifference one = intervals.of(pair);
    if (one.intervals.empty()) return;
    one.is_asked = is_asked;
    for (const auto& [measure, interval] : one.intervals) {
      one.p_holm[measure] = std::numeric_limits<double>::quiet_NaN();
      if (!is_asked || std::isnan(interval.p)) continue;
      if (is_shown) at[measure].emplace_back(differences.size(), p[measure].size());
      p[measure].push_back(interval.p);
    }
    if (is_shown) differences.push_back(std::move(one));
  };
  const auto has = [](const std::vector<ArmPair>& all, const ArmPair& pair) {
    return std::ranges::any_of(all, [&](const ArmPair& one) { return same_pair(one, pair); });
  };
  for (const ArmPair& pair : shown) add(pair, has(family.pairs, pair), true);
  for (const ArmPair& pair : family.pairs)
    if (!has(shown, pair)) add(pair, true, false);
  for (auto& [measure, values] : p) {
    const std::vector<double> corrected = holm(values, std::max(family.size, values.size()));
    for (const auto& [difference, place] : at[measure])
      differences[difference].p_holm[measure] = corrected[place];
  }
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
  comparison.warnings = std::move(sides.warnings);
  if (sides.all.empty()) return comparison;

  std::vector<ArmScores> arms = scores_of(sides, measures, &comparison.warnings);
  if (!options.sort.empty()) sort_by(options.sort, measures, &arms);

  std::vector<ArmNames> names;
  for (const ArmScores& arm : arms) names.push_back(arm.summary);
  const std::vector<ArmPair> pairs = pairs_of(names, options, baseline);
  if (!pairs.empty() && sides.examples > 0) {
    const Intervals intervals(&arms, sides, measures);
    const Family family = family_of(names, comparison.experiments, options);
    comparison.differences = differences_of(intervals, pairs, family);
    comparison.asked = static_cast<int64_t>(family.size);
    comparison.has_questions = family.has_questions;
  }
  if (arms.size() > kMostArmsWithDifferences && options.pairs.empty() && baseline.empty())
    comparison.warnings.push_back(
        std::to_string(arms.size()) + " rows: no intervals for more than " +
        std::to_string(kMostArmsWithDifferences) + "; choose with --runs or --pairs");
  for (ArmScores& arm : arms) comparison.arms.push_back(std::move(arm.summary));
  std::ranges::move(floor_notes(comparison, measures), std::back_inserter(comparison.warnings));
  std::ranges::move(sides.unequal, std::back_inserter(comparison.warnings));
  return comparison;
}

}  // namespace minibert

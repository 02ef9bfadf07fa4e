#include "compare/judge.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.h"
#include "record/run_record.h"

namespace minibert {
namespace {

size_t runs_of_arm(const Comparison& comparison, const std::string& arm) {
  size_t most = 0;
  for (const ArmSummary& one : comparison.arms)
    if (one.arm == arm) most = std::max(most, one.seeds.size());
  return most;
}

std::string label_of(const Comparison& comparison, const std::string& arm) {
  for (const ArmSummary& one : comparison.arms)
    if (one.arm == arm) return one.label;
  return {};
}

// Finds the interval of the arm minus its baseline; differences may stand the other way round.
void find_interval(const Comparison& comparison, Judged* out) {
  const std::string arm = label_of(comparison, out->expected.arm),
                    baseline = label_of(comparison, out->expected.baseline);
  for (const ArmDifference& one : comparison.differences) {
    const bool same = one.arm == arm && one.baseline == baseline;
    const bool turned = one.arm == baseline && one.baseline == arm;
    const auto found = one.intervals.find(out->expected.measure);
    if ((!same && !turned) || found == one.intervals.end()) continue;
    out->has_interval = true;
    out->difference = same ? found->second.difference : -found->second.difference;
    out->low = same ? found->second.low : -found->second.high;
    out->high = same ? found->second.high : -found->second.low;
  }
}

Judged judged(const Expectation& expected, const std::string& sha256, const Comparison& comparison,
              std::span<const Measure> measures) {
  Judged out{expected, sha256, "open", ""};
  if (const auto measure = std::ranges::find(measures, expected.measure, &Measure::name);
      measure != measures.end())
    out.decimals = std::max(measure->decimals, 0);
  find_interval(comparison, &out);
  const size_t fewest =
      std::min(runs_of_arm(comparison, expected.arm), runs_of_arm(comparison, expected.baseline));
  if (fewest < static_cast<size_t>(expected.runs)) {
    out.why = std::to_string(fewest) + " of " + std::to_string(expected.runs) + " runs an arm";
  } else if (!out.has_interval) {
    out.why = "there is no interval of this difference here";
  } else if (out.low == out.high || std::isnan(out.low)) {
    out.why = "all examples differ alike, so how far others would is not known";
  } else {
    const bool higher = expected.direction == "higher";
    const double worst = higher ? out.low : -out.high, best = higher ? out.high : -out.low;
    if (worst >= expected.least && worst > 0)
      out.verdict = "met";
    else if (best < expected.least || best <= 0)
      out.verdict = "not met";
    else
      out.why = "the interval reaches to both sides";
  }
  return out;
}

// What the run registered; nothing, and a warning, where that cannot be read.
std::vector<Expectation> expectations_of(const Registered& run,
                                         std::vector<std::string>* warnings) {
  try {
    return expectations_from_json(run.expect, run.path + ": /expect");
  } catch (const Error& error) {
    warnings->push_back(std::string(error.what()) + "; what was expected is not judged");
    return {};
  }
}

}  // namespace

std::vector<Judged> judge(const std::vector<Registered>& runs, const Comparison& comparison,
                          std::span<const Measure> measures, std::vector<std::string>* warnings) {
  std::map<std::string, Registered> registered;  // the first run's, by SHA-256
  std::set<std::string> changed;
  for (const Registered& run : runs) {
    if (run.expect.is_null()) continue;
    if (sha256_of_json(run.expect) != run.sha256)
      changed.insert(run.arm);
    else
      registered.emplace(run.sha256, run);
  }
  for (const std::string& arm : changed)
    warnings->push_back("arm '" + arm +
                        "': what was expected was changed after the run: its SHA-256 is not that "
                        "of before step 1; it counts as exploratory");
  std::vector<Judged> out;
  for (const auto& [sha256, first] : registered)
    for (const Expectation& expected : expectations_of(first, warnings)) {
      if (label_of(comparison, expected.arm).empty() ||
          label_of(comparison, expected.baseline).empty())
        continue;
      const auto others = std::ranges::count_if(runs, [&](const Registered& run) {
        const bool about = run.arm == expected.arm || run.arm == expected.baseline;
        return about && (run.sha256 != sha256 || sha256_of_json(run.expect) != sha256);
      });
      if (others == 0) {
        out.push_back(judged(expected, sha256, comparison, measures));
        continue;
      }
      warnings->push_back(
          "what was expected of " + expected.arm + " - " + expected.baseline + " in " +
          expected.measure + " is not judged: " + std::to_string(others) +
          " of these runs registered something else, or nothing, before step 1; SHA-256 " +
          sha256.substr(0, kShownDigits) + "… is exploratory for them");
    }
  return out;
}

}  // namespace minibert

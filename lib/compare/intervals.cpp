#include "compare/intervals.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "compare/statistic.h"

namespace minibert {
namespace {

// Returns the measure's largest and smallest possible value. A loss has no upper limit.
double most(const Measure& measure) {
  return measure.better == Better::higher ? measure.scale : std::numeric_limits<double>::infinity();
}
double least(const Measure& measure) {
  switch (measure.resampled) {
    case Resampled::matthews:
    case Resampled::pearson:
    case Resampled::spearman:
      return -measure.scale;
    case Resampled::none:
    case Resampled::mean:
    case Resampled::macro_f1:
    case Resampled::entity_macro_f1:
    case Resampled::set_micro_f1:
    case Resampled::set_macro_f1:
      return 0;
  }
  return 0;
}

void keep_within(double least, double most, Interval* interval) {
  interval->low = std::max(interval->low, least);
  interval->high = std::min(interval->high, most);
}

}  // namespace

void keep_within(const Measure& measure, Interval* interval) {
  keep_within(least(measure), most(measure), interval);
}

void keep_difference_within(const Measure& measure, Interval* interval) {
  const double range = most(measure) - least(measure);
  keep_within(-range, range, interval);
}

std::map<std::string, Interval> intervals_of(Predictions predictions,
                                             std::span<const Measure> measures) {
  std::map<std::string, Interval> out;
  const AlignedRun run{"", std::move(predictions)};
  const size_t examples = run.predictions.id.size();
  if (examples == 0) return out;
  std::vector<Statistic> statistics;
  std::vector<const Measure*> of;
  for (const Measure& measure : measures)
    if (auto statistic = statistic_of(measure, std::span(&run, 1))) {
      of.push_back(&measure);
      statistics.push_back(std::move(*statistic));
    }
  Clusters clusters = clusters_in(run.predictions).value_or(Clusters{});
  if (clusters.count == 1) clusters = {};  // which tells nothing of how far others would differ
  const Jackknife jackknife(examples, clusters, statistics);
  for (size_t i = 0; i < of.size(); ++i) {
    Interval& found = out[std::string(of[i]->name)] = jackknife.of(i);
    keep_within(*of[i], &found);
  }
  return out;
}

}  // namespace minibert

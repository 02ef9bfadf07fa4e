#include "compare/intervals.h"

#include <utility>

#include "compare/statistic.h"

namespace minibert {

std::map<std::string, Interval> intervals_of(Predictions predictions,
                                             std::span<const Measure> measures) {
  std::map<std::string, Interval> out;
  const AlignedRun run{"", std::move(predictions)};
  const size_t examples = run.predictions.id.size();
  if (examples == 0) return out;
  std::vector<std::string> names;
  std::vector<Statistic> statistics;
  for (const Measure& measure : measures)
    if (auto statistic = statistic_of(measure, std::span(&run, 1))) {
      names.emplace_back(measure.name);
      statistics.push_back(std::move(*statistic));
    }
  const Bootstrap bootstrap(examples, clusters_in(run.predictions).value_or(Clusters{}),
                            statistics);
  for (size_t i = 0; i < names.size(); ++i) out[names[i]] = bootstrap.of(i);
  return out;
}

}  // namespace minibert

#include "compare/examples.h"

#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "core/error.h"
#include "core/text.h"

namespace minibert {

Examples::Examples(const StoredRun& first, const std::vector<std::string>& left_out)
    : first_path_(first.path), first_ids_(first.record.predictions->id) {
  const std::unordered_set<std::string> listed(left_out.begin(), left_out.end());
  for (size_t row = 0; row < first_ids_.size(); ++row) {
    const std::string& id = first_ids_[row];
    const bool kept = !listed.contains(id);
    if (!example_of_.emplace(id, kept ? rows_.size() : kLeftOut).second)
      throw Error(first.path + ": example '" + id + "' has two predictions");
    if (kept) rows_.push_back(row);
  }
  if (rows_.empty())
    throw Error(first.path + (example_of_.empty()
                                  ? ": has no predictions"
                                  : ": every example is left out, none to compare by"));
}

std::optional<AlignedRun> Examples::align(const StoredRun& run, std::string* why) const {
  const std::vector<std::string>& ids = run.record.predictions->id;
  AlignedRun aligned{run.path, &*run.record.predictions, rows_};
  if (ids == first_ids_) return aligned;
  std::unordered_set<std::string_view> seen;
  for (size_t row = 0; row < ids.size(); ++row) {
    if (!seen.insert(ids[row]).second)
      throw Error(run.path + ": example '" + ids[row] + "' has two predictions");
    const auto found = example_of_.find(ids[row]);
    if (found == example_of_.end()) {
      *why = run.path + ": example '" + ids[row] + "' is not in " + first_path_;
      return std::nullopt;
    }
    if (found->second != kLeftOut) aligned.rows[found->second] = row;
  }
  if (ids.size() == example_of_.size()) return aligned;
  *why = run.path + ": has " + std::to_string(ids.size()) + " examples, " + first_path_ + " " +
         std::to_string(example_of_.size());
  return std::nullopt;
}

Figure figure_of(const std::vector<double>& values) {
  Figure figure;
  figure.runs = static_cast<int64_t>(values.size());
  const auto count = static_cast<double>(values.size());
  for (const double value : values) figure.mean += value / count;
  double squares = 0;
  for (const double value : values) squares += (value - figure.mean) * (value - figure.mean);
  figure.deviation = values.size() > 1 ? std::sqrt(squares / (count - 1))
                                       : std::numeric_limits<double>::quiet_NaN();
  return figure;
}

void align_groups(std::vector<RunGroup>& groups, const std::vector<std::string>& left_out,
                  Comparison& comparison) {
  std::optional<Examples> examples;
  for (RunGroup& group : groups) {
    const auto without =
        std::find_if(group.runs.begin(), group.runs.end(),
                     [](const StoredRun* run) { return !run->record.predictions; });
    if (without != group.runs.end()) {
      if (std::any_of(group.runs.begin(), group.runs.end(),
                      [](const StoredRun* run) { return run->record.predictions.has_value(); }))
        comparison.warnings.push_back("arm '" + group.summary.label +
                                      "': not every run has predictions, no intervals for it");
      continue;
    }
    if (!examples) examples.emplace(*group.runs[0], left_out);
    for (const StoredRun* run : group.runs) {
      std::string why;
      if (auto aligned = examples->align(*run, &why)) {
        group.aligned.push_back(std::move(*aligned));
        continue;
      }
      comparison.warnings.push_back(why + "; no intervals for arm '" + group.summary.label + "'");
      group.aligned.clear();
      break;
    }
  }
  if (!examples) return;
  comparison.examples = static_cast<int64_t>(examples->size());
  comparison.left_out = static_cast<int64_t>(examples->left_out());
  const std::unordered_set<std::string> listed(left_out.begin(), left_out.end());
  if (listed.size() > examples->left_out())
    comparison.warnings.push_back(std::to_string(listed.size() - examples->left_out()) + " of " +
                                  std::to_string(listed.size()) +
                                  " ids to leave out are of no example");
}

void remake_figures(std::vector<RunGroup>& groups, std::span<const Measure> measures,
                    std::vector<std::string>& warnings) {
  for (RunGroup& group : groups) {
    std::vector<std::string> dropped;
    for (const Measure& measure : measures) {
      const auto figure = group.summary.figures.find(std::string(measure.name));
      if (measure.resampled == Resampled::none || figure == group.summary.figures.end()) continue;
      std::vector<double> values;
      for (const AlignedRun& run : group.aligned)
        if (const auto statistic = statistic_of(measure, {&run, 1}))
          values.push_back(statistic->of(std::vector<double>(run.rows.size(), 1)));
      if (values.size() == group.runs.size()) {
        figure->second = figure_of(values);
      } else {
        group.summary.figures.erase(figure);
        dropped.emplace_back(measure.name);
      }
    }
    if (!dropped.empty())
      warnings.push_back("arm '" + group.summary.label + "': has no predictions to make " +
                         joined(dropped) + " of; left out");
  }
}

std::vector<ArmDifference> differences_of(const std::vector<RunGroup>& groups, size_t examples,
                                          std::span<const Measure> measures) {
  std::vector<Statistic> statistics;
  std::vector<std::map<std::string, size_t>> place(groups.size());  // of a measure among statistics
  for (size_t group = 0; group < groups.size(); ++group) {
    if (groups[group].aligned.empty()) continue;
    for (const Measure& measure : measures) {
      const std::string name(measure.name);
      // An answer in the columns of another task's labels is no label.
      if (!groups[group].summary.figures.contains(name)) continue;
      if (auto statistic = statistic_of(measure, groups[group].aligned)) {
        place[group][name] = statistics.size();
        statistics.push_back(std::move(*statistic));
      }
    }
  }
  const std::vector<Estimate> estimates = bootstrap(examples, statistics);

  std::vector<ArmDifference> differences;
  for (size_t base = 0; base < groups.size(); ++base)
    for (size_t other = base + 1; other < groups.size(); ++other) {
      ArmDifference difference{groups[other].summary.label, groups[base].summary.label, {}};
      for (const auto& [measure, at] : place[other])
        if (const auto found = place[base].find(measure); found != place[base].end())
          difference.intervals[measure] = difference_of(estimates[at], estimates[found->second]);
      if (!difference.intervals.empty()) differences.push_back(std::move(difference));
    }
  return differences;
}

}  // namespace minibert

#include "compare/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "compare/figure_hint.h"
#include "core/error.h"
#include "core/text.h"
#include "record/layout.h"

namespace minibert {
namespace {

constexpr char kParameters[] = "parameters";

// Leaves out a figure if a run has no finite value: without that run the arm would look better.
ArmSummary summary_of(const Side& side, std::vector<std::string>& warnings) {
  std::map<std::string, std::vector<double>> values;
  std::set<std::string> unknown;
  for (size_t run = 0; run < side.summaries.size(); ++run)
    for (const auto& [name, value] : side.summaries[run]) {
      values[name].push_back(value);
      if (std::isfinite(value)) continue;
      unknown.insert(name);
      warnings.push_back(side.paths[run] + ": " + name +
                         " is not a finite number; left out of arm '" + side.names.label + "'");
    }
  ArmSummary summary{side.names, {}};
  const auto parameters = values.find(kParameters);
  summary.is_floor = parameters != values.end() && std::ranges::max(parameters->second) == 0;
  for (const auto& [name, list] : values)
    if (!unknown.contains(name)) summary.figures[name] = figure_of(list);
  return summary;
}

// The columns of numbers that the measure is made from.
std::vector<std::string_view> number_columns(const Measure& measure) {
  switch (measure.resampled) {
    case Resampled::mean:
      return {measure.name, measure.weight};
    case Resampled::pearson:
    case Resampled::spearman:
      return {layout::kGoldColumn, layout::kPredictionColumn};
    case Resampled::none:
    case Resampled::macro_f1:
    case Resampled::matthews:
    case Resampled::entity_macro_f1:
    case Resampled::set_micro_f1:
    case Resampled::set_macro_f1:
      return {};
  }
  return {};
}

// Returns a warning about the first value in the measure's columns that is not finite, or "".
std::string not_finite_in(std::span<const AlignedRun> runs, const Measure& measure) {
  for (const AlignedRun& run : runs)
    for (const std::string_view name : number_columns(measure)) {
      const auto column = run.predictions.numbers.find(std::string(name));
      if (column == run.predictions.numbers.end()) continue;
      const auto found = std::ranges::find_if_not(
          column->second, [](const double value) { return std::isfinite(value); });
      if (found == column->second.end()) continue;
      const auto row = static_cast<size_t>(found - column->second.begin());
      return run.path + ": " + layout::kPredictions + ": '" + run.predictions.id[row] +
             "': " + column->first + " is not a finite number";
    }
  return "";
}

// Says which of the measures some of the arm's runs lack: their figures are of the others alone.
void tell_fewer_runs(const ArmSummary& summary, std::span<const Measure> measures,
                     std::vector<std::string>& warnings) {
  const auto all = static_cast<int64_t>(summary.seeds.size());
  std::vector<std::string> fewer;
  for (const Measure& measure : measures)
    if (const auto figure = summary.figures.find(std::string(measure.name));
        figure != summary.figures.end() && figure->second.runs < all)
      fewer.push_back(std::string(measure.name) + " of " + std::to_string(figure->second.runs));
  if (!fewer.empty())
    warnings.push_back("arm '" + summary.label + "': " + std::to_string(all) + " runs, but " +
                       joined(fewer));
}

// Makes the figures of the compared examples alone, or drops them.
void remake_figures(const Side& side, std::span<const Measure> measures, ArmSummary& summary,
                    std::vector<std::string>& warnings) {
  std::vector<std::string> dropped;
  for (const Measure& measure : measures) {
    const auto figure = summary.figures.find(std::string(measure.name));
    if (measure.resampled == Resampled::none || figure == summary.figures.end()) continue;
    if (const std::string why = not_finite_in(side.aligned, measure); !why.empty()) {
      warnings.push_back(why + "; " + figure->first + " left out of arm '" + summary.label + "'");
      summary.figures.erase(figure);
      continue;
    }
    std::vector<double> values;
    for (const AlignedRun& run : side.aligned)
      if (const auto statistic = statistic_of(measure, {&run, 1}))
        values.push_back(
            figure_of_sample(*statistic, std::vector<double>(run.predictions.id.size(), 1)));
    if (values.size() == side.summaries.size()) {
      figure->second = figure_of(values);
    } else {
      summary.figures.erase(figure);
      dropped.emplace_back(measure.name);
    }
  }
  if (!dropped.empty())
    warnings.push_back("arm '" + summary.label + "': has no predictions to compute " +
                       joined(dropped) + " of; left out");
}

std::map<std::string, Statistic> statistics_of(const Side& side, const ArmSummary& summary,
                                               std::span<const Measure> measures,
                                               std::vector<std::string>& warnings) {
  std::map<std::string, Statistic> statistics;
  if (side.aligned.empty()) return statistics;
  for (const Measure& measure : measures) {
    // An answer in the columns of another task's labels is no label.
    if (!summary.figures.contains(std::string(measure.name))) continue;
    if (const std::string why = not_finite_in(side.aligned, measure); !why.empty()) {
      warnings.push_back(why + "; no interval of " + std::string(measure.name) + " for arm '" +
                         summary.label + "'");
      continue;
    }
    if (auto statistic = statistic_of(measure, side.aligned))
      statistics.emplace(measure.name, std::move(*statistic));
  }
  return statistics;
}

}  // namespace

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

std::vector<ArmScores> scores_of(const Sides& sides, std::span<const Measure> measures,
                                 std::vector<std::string>* warnings) {
  std::vector<ArmScores> arms;
  for (const Side& side : sides.all) {
    ArmSummary summary = summary_of(side, *warnings);
    if (sides.examples_chosen) remake_figures(side, measures, summary, *warnings);
    tell_fewer_runs(summary, measures, *warnings);
    auto statistics = statistics_of(side, summary, measures, *warnings);
    arms.push_back({std::move(summary), std::move(statistics)});
  }
  return arms;
}

void sort_by(const std::string& figure, std::span<const Measure> measures,
             std::vector<ArmScores>* arms) {
  std::map<std::string, Figure> known;
  for (const ArmScores& arm : *arms)
    known.insert(arm.summary.figures.begin(), arm.summary.figures.end());
  if (!known.contains(figure)) {
    std::vector<std::string> names;
    for (const auto& [name, unused] : known) names.push_back(name);
    throw usage_error("--sort: no run has the figure \"" + figure + "\"" +
                      figure_hint(figure, names, measures));
  }
  const bool descending = std::ranges::any_of(measures, [&](const Measure& measure) {
    return measure.name == figure && measure.better == Better::higher;
  });
  std::ranges::stable_sort(*arms, [&](const ArmScores& a, const ArmScores& b) {
    const auto of_a = a.summary.figures.find(figure);
    const auto of_b = b.summary.figures.find(figure);
    if (of_a == a.summary.figures.end() || of_b == b.summary.figures.end())
      return of_a != a.summary.figures.end() && of_b == b.summary.figures.end();
    return descending ? of_a->second.mean > of_b->second.mean
                      : of_a->second.mean < of_b->second.mean;
  });
}

}  // namespace minibert

#include "compare/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/text.h"

namespace minibert {
namespace {

ArmSummary summary_of(const Side& side) {
  std::map<std::string, std::vector<double>> values;
  for (const auto& summary : side.summaries)
    for (const auto& [name, value] : summary) values[name].push_back(value);
  ArmSummary summary{side.names, {}};
  for (const auto& [name, list] : values) summary.figures[name] = figure_of(list);
  return summary;
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
    std::vector<double> values;
    for (const AlignedRun& run : side.aligned)
      if (const auto statistic = statistic_of(measure, {&run, 1}))
        values.push_back(statistic->of(std::vector<double>(run.predictions.id.size(), 1)));
    if (values.size() == side.summaries.size()) {
      figure->second = figure_of(values);
    } else {
      summary.figures.erase(figure);
      dropped.emplace_back(measure.name);
    }
  }
  if (!dropped.empty())
    warnings.push_back("arm '" + summary.label + "': has no predictions to make " +
                       joined(dropped) + " of; left out");
}

std::map<std::string, Statistic> statistics_of(const Side& side, const ArmSummary& summary,
                                               std::span<const Measure> measures) {
  std::map<std::string, Statistic> statistics;
  if (side.aligned.empty()) return statistics;
  for (const Measure& measure : measures) {
    // An answer in the columns of another task's labels is no label.
    if (!summary.figures.contains(std::string(measure.name))) continue;
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
    ArmSummary summary = summary_of(side);
    if (sides.examples_chosen) remake_figures(side, measures, summary, *warnings);
    tell_fewer_runs(summary, measures, *warnings);
    auto statistics = statistics_of(side, summary, measures);
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
    const std::string near = nearest(figure, names);
    throw usage_error("--sort: no run has a figure '" + figure + "'" +
                      (near.empty() ? "" : " (did you mean '" + near + "'?)"));
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

#include "compare/answers.h"

#include <algorithm>
#include <cmath>

#include "compare/render.h"
#include "compare/table.h"
#include "core/text.h"

namespace minibert {
namespace {

constexpr char kParameterCount[] = "parameters", kTrainSeconds[] = "train_seconds";

const Figure* found_figure(const ArmSummary& arm, std::string_view name) {
  const auto found = arm.figures.find(std::string(name));
  return found == arm.figures.end() ? nullptr : &found->second;
}

// Floors last, then by the measure.
std::vector<const ArmSummary*> sorted(const Comparison& comparison, const Measure* by) {
  std::vector<const ArmSummary*> arms;
  for (const ArmSummary& arm : comparison.arms) arms.push_back(&arm);
  const auto rank = [&](const ArmSummary* arm) {
    const Figure* figure = by == nullptr ? nullptr : found_figure(*arm, by->name);
    const double mean = figure == nullptr ? -HUGE_VAL : figure->mean;
    return std::pair(arm->is_floor, by != nullptr && by->better == Better::lower ? mean : -mean);
  };
  std::ranges::stable_sort(arms, {}, rank);
  return arms;
}

// The difference the other way round.
Interval turned(Interval interval) {
  interval.difference *= -1;
  std::swap(interval.low, interval.high);
  interval.low *= -1, interval.high *= -1;
  return interval;
}

// A figure of 0 to 100 differs by points; another one as it is.
std::string amount(const Measure& measure, double value) {
  const bool is_percent = measure.scale == 100;
  return fixed(value, is_percent ? 1 : std::max(measure.decimals, 0)) +
         (is_percent ? " points" : "");
}

std::string what_varies(const Comparison& comparison, const std::vector<std::string>& single,
                        bool learns) {
  const std::string over =
      comparison.clusters > 0 ? "over other articles or texts" : "over other examples";
  if (single.size() > 1) return over + "; one training each, so other seeds are not measured";
  if (single.size() == 1)
    return over + "; one training of " + single[0] + ", so its other seeds are not measured";
  return over + (learns ? " and with other seeds" : "");
}

std::string sentence(const Comparison& comparison, const Measure& measure, const ArmSummary& arm,
                     const ArmSummary& baseline, const std::vector<std::string>& single,
                     Interval interval) {
  const std::string heading(measure.heading);
  const std::string varies = what_varies(comparison, single, !arm.is_floor || !baseline.is_floor);
  if (measure.better == Better::lower) interval = turned(interval);
  const bool is_better = interval.difference >= 0;
  const int decimals = measure.scale == 100 ? 1 : std::max(measure.decimals, 0);
  const auto range = [&](double low, double high) {
    return fixed(low, decimals) + " to " + fixed(high, decimals) + " ";
  };
  if (std::isnan(interval.low))
    return arm.label + " is " + amount(measure, std::abs(interval.difference)) + " of " + heading +
           (is_better ? " better than " : " worse than ") + baseline.label +
           " (every text differs alike, so how far others would is not known).";
  if (interval.low <= 0 && interval.high >= 0)
    return arm.label + " and " + baseline.label + " are not told apart in " + heading + ": " +
           with_sign(interval.difference, decimals) + (measure.scale == 100 ? " points" : "") +
           " (" + range(interval.low, interval.high) + varies + ").";
  return arm.label + " is " + amount(measure, std::abs(interval.difference)) + " of " + heading +
         (is_better ? " better than " : " worse than ") + baseline.label + " (" +
         (is_better ? range(interval.low, interval.high) : range(-interval.high, -interval.low)) +
         varies + ").";
}

}  // namespace

std::vector<Measure> main_measures(const Comparison& comparison, std::span<const Measure> measures,
                                   size_t most) {
  std::vector<Measure> with_intervals, others;
  for (const Measure& measure : occurring({&comparison, 1}, measures)) {
    if (!measure.in_table || measure.better == Better::neither) continue;
    (measure.resampled != Resampled::none ? with_intervals : others).push_back(measure);
  }
  std::vector<Measure>& all = with_intervals.empty() ? others : with_intervals;
  if (all.size() > most) all.erase(all.begin() + static_cast<std::ptrdiff_t>(most), all.end());
  return all;
}

std::string render_summary(const Comparison& comparison, std::span<const Measure> measures,
                           size_t width) {
  const std::vector<Measure> shown = main_measures(comparison, measures, 2);
  Table table{{{"arm", false}, {"parameters"}}, {}};
  for (const Measure& measure : shown) table.columns.push_back({std::string(measure.heading)});
  table.columns.push_back({"minutes"});
  for (const ArmSummary* arm : sorted(comparison, shown.empty() ? nullptr : &shown[0])) {
    auto& row = table.rows.emplace_back();
    row.push_back(arm->label + (arm->is_floor ? " (floor: learns nothing)" : ""));
    const Figure* parameters = found_figure(*arm, kParameterCount);
    row.push_back(parameters == nullptr ? "" : with_thousands(parameters->mean));
    for (const Measure& measure : shown) {
      const Figure* figure = found_figure(*arm, measure.name);
      row.push_back(figure == nullptr ? "" : cell(*figure, measure.decimals));
    }
    const Figure* seconds = found_figure(*arm, kTrainSeconds);
    row.push_back(arm->is_floor || seconds == nullptr ? "" : fixed(seconds->mean / 60, 1));
  }
  return plain_table(table, width);
}

std::vector<Answer> answers(const Comparison& comparison, std::span<const Question> questions,
                            std::span<const Measure> measures) {
  std::vector<Answer> out;
  const std::vector<Measure> main = main_measures(comparison, measures, 1);
  if (main.empty()) return out;
  const auto arm_of = [&](const std::string& label) -> const ArmSummary& {
    return *std::ranges::find(comparison.arms, label, &ArmSummary::label);
  };
  for (const Question& question : questions)
    for (const ArmDifference& one : comparison.differences) {
      const ArmSummary *arm = &arm_of(one.arm), *baseline = &arm_of(one.baseline);
      const bool forward = arm->arm == question.arm && baseline->arm == question.baseline;
      const bool backward = arm->arm == question.baseline && baseline->arm == question.arm;
      const auto found = one.intervals.find(std::string(main[0].name));
      if ((!forward && !backward) || found == one.intervals.end()) continue;
      if (backward) std::swap(arm, baseline);
      Answer& answer = out.emplace_back();
      answer.arm = arm->label, answer.baseline = baseline->label;
      answer.measure = main[0].name;
      answer.interval = backward ? turned(found->second) : found->second;
      for (const ArmSummary* side : {arm, baseline})
        if (!side->is_floor && side->seeds.size() == 1) answer.single.push_back(side->label);
      answer.text = sentence(comparison, main[0], *arm, *baseline, answer.single, answer.interval);
    }
  return out;
}

}  // namespace minibert

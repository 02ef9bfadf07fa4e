#include "compare/answers.h"

#include <algorithm>
#include <cmath>

#include "compare/render.h"
#include "compare/table.h"
#include "core/text.h"
#include "words/phrases.h"

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

struct Sentence {
  const Comparison& comparison;
  const Measure& measure;
  const ArmSummary &arm, &baseline;
  const std::vector<std::string>& single;  // Answer::single
  const Interval& interval;                // of arm minus baseline
};

// Over what the difference would vary, and how far.
std::string range(const Sentence& one, double low, double high, int decimals, Language told) {
  std::string key = "{0} to {1} over other ";
  key += one.comparison.clusters > 0 ? "articles or texts" : "examples";
  if (one.single.empty() && !(one.arm.is_floor && one.baseline.is_floor))
    key += " and with other seeds";
  std::string out = phrase(key, {fixed(low, decimals), fixed(high, decimals)}, told);
  if (one.single.size() > 1)
    out += phrase("; one training each, so other seeds are not measured", {}, told);
  if (one.single.size() == 1)
    out += phrase("; one training of {0}, so its other seeds are not measured", one.single, told);
  return out;
}

std::string sentence(const Sentence& one, Language told) {
  const Measure& measure = one.measure;
  const bool is_percent = measure.scale == 100, is_lower = measure.better == Better::lower;
  const int decimals = is_percent ? 1 : std::max(measure.decimals, 0);
  // A figure of 0 to 100 differs by points; another one as it is.
  const auto amount = [&](const std::string& value) {
    return is_percent ? phrase("{0} points", {value}, told) : value;
  };
  const Interval interval = is_lower ? turned(one.interval) : one.interval;
  const std::string heading = phrase(measure.heading, {}, told);
  const bool is_known = !std::isnan(interval.low), is_better = interval.difference >= 0;
  if (is_known && interval.low <= 0 && interval.high >= 0)
    return phrase("{0} and {1} are not told apart in {2}: {3}",
                  {one.arm.label, one.baseline.label, heading,
                   amount(with_sign(interval.difference, decimals))},
                  told) +
           " (" + range(one, interval.low, interval.high, decimals, told) + ").";
  const std::string shown = amount(fixed(std::abs(interval.difference), decimals));
  const double low = is_better ? interval.low : -interval.high,
               high = is_better ? interval.high : -interval.low;
  std::string out = is_lower ? phrase(is_better ? "{0} has {1} less {2} than {3}"
                                                : "{0} has {1} more {2} than {3}",
                                      {one.arm.label, shown, heading, one.baseline.label}, told)
                             : phrase(is_better ? "{0} is {1} of {2} better than {3}"
                                                : "{0} is {1} of {2} worse than {3}",
                                      {one.arm.label, shown, heading, one.baseline.label}, told);
  return out + " (" +
         (is_known ? range(one, low, high, decimals, told)
                   : phrase("every text differs alike, so how far others would is not known", {},
                            told)) +
         ").";
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
  Table table{{{phrase("arm"), false}, {phrase("parameters")}}, {}};
  for (const Measure& measure : shown) table.columns.push_back({phrase(measure.heading)});
  table.columns.push_back({phrase("minutes")});
  for (const ArmSummary* arm : sorted(comparison, shown.empty() ? nullptr : &shown[0])) {
    auto& row = table.rows.emplace_back();
    row.push_back(arm->is_floor ? phrase("{0} (floor: learns nothing)", {arm->label}) : arm->label);
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

std::vector<std::string> floor_notes(const Comparison& comparison,
                                     std::span<const Measure> measures) {
  std::vector<std::string> notes;
  const std::vector<Measure> main = main_measures(comparison, measures, 1);
  if (main.empty()) return notes;
  const std::vector<const ArmSummary*> best_first = sorted(comparison, &main[0]);
  const int decimals = std::max(main[0].decimals, 0);
  for (const ArmSummary& arm : comparison.arms) {
    const auto floor = std::ranges::find_if(best_first, [&](const ArmSummary* other) {
      return other->is_floor && other->experiment == arm.experiment &&
             other->profile == arm.profile;
    });
    if (arm.is_floor || floor == best_first.end()) continue;
    const Figure *own = found_figure(arm, main[0].name),
                 *least = found_figure(**floor, main[0].name);
    if (own == nullptr || least == nullptr) continue;
    const double above = own->mean - least->mean;
    if (main[0].better == Better::lower ? above < 0 : above > 0) continue;
    notes.push_back(arm.label + " does not beat " + (*floor)->label +
                    ", which learns nothing, in " + std::string(main[0].heading) + " (" +
                    fixed(own->mean, decimals) + ", " + fixed(least->mean, decimals) +
                    "): train longer or bring more examples");
  }
  return notes;
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
      const Sentence told{comparison, main[0], *arm, *baseline, answer.single, answer.interval};
      answer.text = sentence(told, Language::english);
      answer.korean = sentence(told, Language::korean);
    }
  return out;
}

}  // namespace minibert

// Renders a comparison for people: an aligned table, or Markdown.
#include "compare/render.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "compare/figure_hint.h"
#include "compare/table.h"
#include "core/error.h"
#include "core/text.h"
#include "words/phrases.h"

namespace minibert {
namespace {

constexpr size_t kNoteWidth = 100;  // of running text

std::string number(double value, int decimals) {
  return decimals < 0 ? with_thousands(value) : fixed(value, decimals);
}

// As tables name arms: without experiment and profile where their own names tell them apart.
Comparison with_short_labels(Comparison comparison) {
  std::map<std::string, std::string> short_of;
  std::set<std::string> names;
  for (const ArmSummary& arm : comparison.arms) {
    if (arm.label != arm.arm && !arm.label.ends_with("/" + arm.arm)) return comparison;
    if (!names.insert(arm.arm).second) return comparison;
    short_of[arm.label] = arm.arm;
  }
  for (ArmSummary& arm : comparison.arms) arm.label = arm.arm;
  for (ArmDifference& one : comparison.differences) {
    one.arm = short_of.at(one.arm);
    one.baseline = short_of.at(one.baseline);
  }
  return comparison;
}

Table arm_table(const Comparison& comparison, std::span<const Measure> measures) {
  Table table;
  table.columns = {{phrase("arm"), false}, {phrase("runs")}};
  for (const ArmSummary& arm : comparison.arms)
    table.rows.push_back({arm.label, std::to_string(arm.seeds.size())});
  for (const Measure& measure : occurring({&comparison, 1}, measures)) {
    if (!measure.in_table) continue;
    table.columns.push_back({phrase(measure.heading)});
    for (size_t row = 0; row < comparison.arms.size(); ++row) {
      const auto& figures = comparison.arms[row].figures;
      const auto found = figures.find(std::string(measure.name));
      table.rows[row].push_back(found == figures.end() ? ""
                                                       : cell(found->second, measure.decimals));
    }
  }
  return table;
}

// Measures with an interval that the table shows.
std::vector<Measure> compared(const Comparison& comparison, std::span<const Measure> measures) {
  std::vector<Measure> with;
  for (const Measure& measure : measures)
    if (measure.in_table && has_interval({&comparison, 1}, measure)) with.push_back(measure);
  return with;
}

std::string probability(double p) {
  if (std::isnan(p)) return "";
  return p < 0.0005 ? "<0.001" : p > 0.9995 ? ">0.999" : fixed(p, 3);
}

// The table of one measure, with all that is known: a row a difference that has an interval of it.
Table difference_table(const Comparison& comparison, const Measure& measure) {
  Table table;
  table.columns = {
      {phrase("difference"), false}, {phrase(measure.heading)}, {phrase("95 % interval")}};
  for (const char* heading : {"p Holm", "p swap", "P(better)"}) table.columns.push_back({heading});
  const std::string name(measure.name);
  const int decimals = std::max(measure.decimals, 0);
  for (const ArmDifference& d : comparison.differences) {
    const auto found = d.intervals.find(name);
    if (found == d.intervals.end()) continue;
    const Interval& one = found->second;
    table.rows.push_back(
        {d.arm + " - " + d.baseline, with_sign(one.difference, decimals),
         in_brackets(one.low, one.high, decimals), probability(d.p_holm.at(name)),
         probability(one.p_exchanged),
         probability(measure.better == Better::lower ? 1 - one.higher : one.higher)});
  }
  return table;
}

// The table of all measures, for documents: a row a difference.
Table difference_table(const Comparison& comparison, const std::vector<Measure>& measures) {
  Table table;
  table.columns = {{phrase("difference"), false}};
  for (const Measure& measure : measures)
    for (const std::string& heading :
         {phrase(measure.heading), phrase("95 % interval"), std::string("p")})
      table.columns.push_back({heading});
  for (const ArmDifference& d : comparison.differences) {
    table.rows.push_back({d.arm + " - " + d.baseline});
    for (const Measure& measure : measures) {
      const std::string name(measure.name);
      const int decimals = std::max(measure.decimals, 0);
      const auto found = d.intervals.find(name);
      const bool has = found != d.intervals.end();
      table.rows.back().push_back(has ? with_sign(found->second.difference, decimals) : "");
      table.rows.back().push_back(has ? in_brackets(found->second.low, found->second.high, decimals)
                                      : "");
      table.rows.back().push_back(has ? probability(d.p_holm.at(name)) : "");
    }
  }
  return table;
}

// The smallest true differences that are told from 0 four times in five, for the median pair: "4.36 in EM, 5.11 in F1".
std::string smallest_differences(const Comparison& comparison,
                                 const std::vector<Measure>& measures) {
  std::vector<std::string> smallest;
  for (const Measure& measure : measures) {
    std::vector<double> detectable;
    for (const ArmDifference& d : comparison.differences)
      if (const auto found = d.intervals.find(std::string(measure.name));
          found != d.intervals.end() && found->second.detectable > 0)
        detectable.push_back(found->second.detectable);
    if (detectable.empty()) continue;
    const auto middle = detectable.begin() + static_cast<std::ptrdiff_t>(detectable.size() / 2);
    std::ranges::nth_element(detectable, middle);
    smallest.push_back(phrase(
        "{0} in {1}", {fixed(*middle, std::max(measure.decimals, 0)), phrase(measure.heading)}));
  }
  return joined(smallest);
}

// How often two arms differ about an example: what plans take for granted.
constexpr double kUsualDisagreement = 0.2;

// "1 arm", "28 clusters"; in Korean a row of "{0} arms".
std::string counted(int64_t count, const std::string& what) {
  const std::string number = with_thousands(static_cast<double>(count));
  const std::string many = phrase("{0} " + what + "s", {number});
  return count == 1 && language() == Language::english ? number + " " + what : many;
}

// Returns one sentence on what intervals and p values cover; the page that it names explains them.
std::string note_of_intervals(const Comparison& comparison, const std::vector<Measure>& measures) {
  const int64_t clusters = comparison.clusters;
  size_t fewest = SIZE_MAX, most = 0;
  int64_t single = 0;
  for (const ArmSummary& arm : comparison.arms) {
    most = std::max(most, arm.seeds.size());
    if (arm.is_floor) continue;
    single += arm.seeds.size() == 1;
    fewest = std::min(fewest, arm.seeds.size());
  }
  const std::string examples = counted(comparison.examples, "example");
  std::string sample = examples;
  if (clusters > 0)
    sample = phrase(clusters < kFewClusters ? "{0} (few) of {1}" : "{0} of {1}",
                    {counted(clusters, "cluster"), examples});
  else if (comparison.examples < kFewClusters)
    sample = phrase("{0} (few)", {examples});
  if (!comparison.clusters_known) sample = phrase("{0}, each taken for itself", {sample});
  std::string text =
      phrase(most < 2                    ? "95 % intervals are over {0}"
             : comparison.clusters_known ? "95 % intervals are over {0} and over seeds"
                                         : "95 % intervals are over {0}, and over seeds",
             {sample});
  if (single > 0)
    text += phrase(single == 1 ? "; {0} with one run has none over seeds and no p"
                               : "; {0} with one run have none over seeds and no p",
                   {counted(single, "arm")});
  else if (fewest < kFewRuns)
    text += phrase("; arms have as few as {0}", {counted(static_cast<int64_t>(fewest), "run")});
  if (std::ranges::any_of(comparison.differences, &ArmDifference::runs_measured))
    text += phrase(comparison.has_questions
                       ? "; p is corrected (Holm) for the {0} that the experiment asks about"
                       : "; p is corrected (Holm) for the {0} of arms",
                   {counted(comparison.asked, "pair")});
  if (const std::string smallest = smallest_differences(comparison, measures); !smallest.empty())
    text += phrase("; true differences from {0} on are found four times in five", {smallest});
  return text + phrase(": see results/README.md.") + "\n";
}

// Which figures do not count the examples that are left out.
std::string note_of_left_out(const Comparison& comparison, std::span<const Measure> measures) {
  std::vector<std::string> without;
  for (const Measure& measure : occurring({&comparison, 1}, measures))
    if (measure.in_table && measure.resampled != Resampled::none)
      without.push_back(phrase(measure.heading));
  if (without.empty()) return "";
  const int64_t all = comparison.examples + comparison.left_out;
  return phrase("{0} of {1} examples are left out of {2}; other figures count all.",
                {with_thousands(static_cast<double>(comparison.left_out)),
                 with_thousands(static_cast<double>(all)), joined(without)});
}

std::string as_text(const Comparison& comparison, std::span<const Measure> measures, bool markdown,
                    size_t width) {
  const auto draw = [&](const Table& table) {
    return markdown ? markdown_table(table) : plain_table(table, width);
  };
  const auto note = [&](const std::string& text) {
    return markdown ? text : wrapped(text, std::min(width, kNoteWidth));
  };
  const std::string bold = markdown ? "**" : "";
  std::string out =
      bold + title(comparison) + bold + "\n\n" + draw(arm_table(comparison, measures));
  if (const std::vector<Measure> with = compared(comparison, measures); !with.empty()) {
    if (markdown) out += "\n" + markdown_table(difference_table(comparison, with));
    for (const Measure& measure : with)
      if (!markdown) out += "\n" + draw(difference_table(comparison, measure));
    out += "\n";
    out += note(note_of_intervals(comparison, with));
    const auto examples = static_cast<size_t>(comparison.examples);
    const auto clusters =
        comparison.clusters > 0 ? static_cast<size_t>(comparison.clusters) : examples;
    if (const std::string few = too_few_note(examples, clusters); !markdown && !few.empty())
      out += note(phrase("Note: {0}.", {few}) + "\n");
  }
  if (comparison.left_out > 0) out += "\n" + note(note_of_left_out(comparison, measures) + "\n");
  return out;
}

}  // namespace

std::string title(const Comparison& comparison) {
  std::string profile = joined(comparison.profiles);
  if (!comparison.folder.empty() && comparison.folder != profile)
    profile += " (" + comparison.folder + ")";
  return phrase("{0}, profile {1}, data {2}",
                {joined(comparison.experiments), profile, joined(comparison.data)});
}

std::string cell(const Figure& figure, int decimals) {
  std::string text = number(figure.mean, decimals);
  if (figure.runs > 1 && !(decimals < 0 && figure.deviation == 0))
    text += " ± " + number(figure.deviation, decimals);
  return text;
}

std::vector<Measure> choose_figures(std::span<const std::string> names,
                                    std::span<const Measure> measures,
                                    std::vector<Comparison>* comparisons) {
  const std::vector<Measure> all = occurring(*comparisons, measures);
  std::vector<Measure> chosen;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(all, name, &Measure::name);
    if (found == all.end()) {
      std::vector<std::string> known;
      for (const Measure& measure : all) known.emplace_back(measure.name);
      throw usage_error("--figures: no run has the figure \"" + name + "\"" +
                        figure_hint(name, known, measures));
    }
    chosen.push_back(*found);
    chosen.back().in_table = true;
    // A figure without a measure takes its name from the figures, which are about to go.
    if (found->name == found->heading) chosen.back().name = chosen.back().heading = name;
  }
  const auto is_left_out = [&](const auto& item) {
    return std::ranges::find(names, item.first) == names.end();
  };
  for (Comparison& comparison : *comparisons) {
    for (ArmSummary& arm : comparison.arms) std::erase_if(arm.figures, is_left_out);
    for (ArmDifference& difference : comparison.differences)
      std::erase_if(difference.intervals, is_left_out);
  }
  return chosen;
}

std::vector<Measure> occurring(std::span<const Comparison> comparisons,
                               std::span<const Measure> measures) {
  std::map<std::string_view, bool> whole;  // of every figure that occurs
  for (const Comparison& comparison : comparisons)
    for (const ArmSummary& arm : comparison.arms)
      for (const auto& [name, figure] : arm.figures) {
        bool& all = whole.try_emplace(name, true).first->second;
        all = all && figure.mean == std::round(figure.mean);
      }
  std::vector<Measure> shown;
  for (const Measure& measure : measures)
    if (whole.erase(measure.name) > 0) shown.push_back(measure);
  for (const auto& [name, is_count] : whole)
    shown.push_back({name, name, is_count ? -1 : 4, Better::neither});
  return shown;
}

bool has_interval(std::span<const Comparison> comparisons, const Measure& measure) {
  const std::string name(measure.name);
  return std::any_of(comparisons.begin(), comparisons.end(), [&](const Comparison& comparison) {
    return std::any_of(comparison.differences.begin(), comparison.differences.end(),
                       [&](const ArmDifference& d) { return d.intervals.contains(name); });
  });
}

Format parse_format(const std::string& word) {
  if (word == "table") return Format::table;
  if (word == "json") return Format::json;
  if (word == "markdown") return Format::markdown;
  throw usage_error("--format: '" + word + "', expected table, json or markdown");
}

std::string too_few_note(size_t examples, size_t clusters) {
  // Two arms differ by no more than the share of examples that they disagree about.
  const auto enough = [](size_t count, size_t of) {
    return of > 1 && detectable_share(count, of, kUsualDisagreement) <= kUsualDisagreement;
  };
  if (enough(examples, clusters)) return "";
  size_t least = 2;
  while (!enough(least, least)) ++least;
  std::string sample = counted(static_cast<int64_t>(examples), "example");
  if (clusters < examples)
    sample = phrase("{1} of {0}", {counted(static_cast<int64_t>(clusters), "cluster"), sample});
  return phrase(
      "measured by {0}: too few to show small differences (two arms that disagree about a fifth "
      "need {1}, one of them always right)",
      {sample, std::to_string(least)});
}

std::string plan_note(std::string_view measure, size_t examples, size_t clusters) {
  if (std::string few = too_few_note(examples, clusters); !few.empty()) return few;
  const double points = 100 * detectable_share(examples, clusters, kUsualDisagreement);
  return "measured by " + with_thousands(static_cast<double>(examples)) + " examples" +
         (clusters < examples ? " of " + with_thousands(static_cast<double>(clusters)) + " clusters"
                              : "") +
         ": at best, true differences of " + fixed(points, 1) + " points in " +
         std::string(measure) +
         " are found four times in five (two arms that disagree about a fifth)";
}

std::string render(const std::vector<Comparison>& comparisons, std::span<const Measure> measures,
                   Format format, size_t width) {
  if (format == Format::json) return as_json(comparisons);
  std::string out;
  for (const Comparison& comparison : comparisons)
    out += (out.empty() ? "" : "\n") +
           as_text(with_short_labels(comparison), measures, format == Format::markdown, width);
  return out;
}

}  // namespace minibert

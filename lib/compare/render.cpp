// A comparison for people: an aligned table, or Markdown.
#include "compare/render.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "compare/table.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "core/text.h"

namespace minibert {
namespace {

std::string number(double value, int decimals) {
  return decimals < 0 ? with_thousands(value) : fixed(value, decimals);
}

Table arm_table(const Comparison& comparison, std::span<const Measure> measures) {
  Table table;
  table.columns = {{"arm", false}, {"runs"}};
  for (const ArmSummary& arm : comparison.arms)
    table.rows.push_back({arm.label, std::to_string(arm.seeds.size())});
  for (const Measure& measure : occurring({&comparison, 1}, measures)) {
    if (!measure.in_table) continue;
    table.columns.push_back({std::string(measure.heading)});
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

Table difference_table(const Comparison& comparison, const std::vector<Measure>& measures) {
  Table table;
  table.columns = {{"difference", false}};
  for (const Measure& measure : measures) {
    table.columns.push_back({std::string(measure.heading)});
    table.columns.push_back({"95 % interval"});
  }
  for (const ArmDifference& d : comparison.differences) {
    table.rows.push_back({d.arm + " - " + d.baseline});
    for (const Measure& measure : measures) {
      const auto found = d.intervals.find(std::string(measure.name));
      const int decimals = std::max(measure.decimals, 0);
      const bool has = found != d.intervals.end();
      table.rows.back().push_back(has ? with_sign(found->second.difference, decimals) : "");
      table.rows.back().push_back(has ? "[" + with_sign(found->second.low, decimals) + ", " +
                                            with_sign(found->second.high, decimals) + "]"
                                      : "");
    }
  }
  return table;
}

std::string note(const Comparison& comparison, const std::vector<Measure>& measures) {
  std::vector<std::string> anew;
  bool means = false;
  bool ranks = false;
  for (const Measure& measure : measures) {
    if (measure.resampled == Resampled::mean)
      means = true;
    else
      anew.emplace_back(measure.heading);
    ranks |= measure.resampled == Resampled::spearman;
  }
  std::string text = "Intervals: paired bootstrap over " +
                     with_thousands(static_cast<double>(comparison.examples)) + " examples";
  if (means)
    text += " (an example's score is its mean over an arm's runs), " +
            with_thousands(kMeanResamples) + " resamples";
  if (!anew.empty())
    text += (means ? "; " : ", ") + joined(anew) + " computed anew on each of " +
            with_thousands(kOtherResamples) + " resamples" +
            (ranks ? ", with the ranks of all examples" : "") + ", mean over an arm's runs";
  return text + ".";
}

// Which figures do not count the examples that are left out.
std::string note_of_left_out(const Comparison& comparison, std::span<const Measure> measures) {
  std::vector<std::string> without;
  for (const Measure& measure : occurring({&comparison, 1}, measures))
    if (measure.in_table && measure.resampled != Resampled::none)
      without.emplace_back(measure.heading);
  if (without.empty()) return "";
  const int64_t all = comparison.examples + comparison.left_out;
  return with_thousands(static_cast<double>(comparison.left_out)) + " of " +
         with_thousands(static_cast<double>(all)) + " examples are left out of " + joined(without) +
         "; other figures count all.";
}

std::string as_text(const Comparison& comparison, std::span<const Measure> measures,
                    bool markdown) {
  const auto draw = markdown ? markdown_table : plain_table;
  const std::string bold = markdown ? "**" : "";
  std::string out = bold + joined(comparison.experiments) + ", profile " +
                    joined(comparison.profiles) + ", data " + joined(comparison.data) + bold +
                    "\n\n" + draw(arm_table(comparison, measures));
  if (const std::vector<Measure> with = compared(comparison, measures); !with.empty())
    out += "\n" + draw(difference_table(comparison, with)) + "\n" + note(comparison, with) + "\n";
  if (comparison.left_out > 0) out += "\n" + note_of_left_out(comparison, measures) + "\n";
  return out;
}

}  // namespace

std::string cell(const Figure& figure, int decimals) {
  std::string text = number(figure.mean, decimals);
  if (figure.runs > 1 && !(decimals < 0 && figure.deviation == 0))
    text += " ± " + number(figure.deviation, decimals);
  return text;
}

std::string with_sign(double value, int decimals) {
  const std::string text = fixed(value, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos) return fixed(0, decimals);
  return value > 0 ? "+" + text : text;
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
      const std::string near = nearest(name, known);
      throw usage_error("--figures: no run has the figure \"" + name + "\"" +
                        (near.empty() ? "" : ", did you mean \"" + near + "\"?"));
    }
    chosen.push_back(*found);
    chosen.back().in_table = true;
    // What no measure names is named by the figures, which are about to go.
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
  if (word == "csv") return Format::csv;
  if (word == "markdown") return Format::markdown;
  throw usage_error("--format: '" + word + "', expected table, json, csv or markdown");
}

std::string render(const std::vector<Comparison>& comparisons, std::span<const Measure> measures,
                   Format format) {
  if (format == Format::csv) return as_csv(comparisons, measures);
  if (format == Format::json) return as_json(comparisons);
  std::string out;
  for (const Comparison& comparison : comparisons)
    out += (out.empty() ? "" : "\n") + as_text(comparison, measures, format == Format::markdown);
  return out;
}

}  // namespace minibert

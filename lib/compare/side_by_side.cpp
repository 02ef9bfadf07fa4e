#include "compare/side_by_side.h"

#include <algorithm>

#include "compare/figure_hint.h"
#include "compare/table.h"
#include "core/error.h"
#include "core/text.h"
#include "words/phrases.h"

namespace minibert {
namespace {

struct FigureColumn {
  std::vector<const Comparison*> comparisons;  // of one experiment, that have the figure
  std::string experiment;                      // empty: whichever of the comparisons'
  Measure measure;
  std::string heading;
};

struct FigureRow {
  const Comparison* comparison = nullptr;
  const ArmSummary* arm = nullptr;  // null: no comparison has the figure of this arm
};

// The column's row of an arm. Throws usage Error where it has several.
FigureRow row_of(const FigureColumn& column, const std::string& name) {
  FigureRow found;
  for (const Comparison* comparison : column.comparisons)
    for (const ArmSummary& arm : comparison->arms) {
      if (arm.arm != name || (!column.experiment.empty() && arm.experiment != column.experiment) ||
          !arm.figures.contains(std::string(column.measure.name)))
        continue;
      if (found.arm != nullptr) {
        const auto told = [&](const ArmSummary& row) {
          return row.label + (found.comparison == comparison ? "" : " of profile " + row.profile);
        };
        throw usage_error("--side-by-side: found several rows of the arm \"" + name + "\" (" +
                          told(*found.arm) + ", " + told(arm) +
                          "), expected one: name EXPERIMENT:FIGURE, --profile or --runs");
      }
      found = {comparison, &arm};
    }
  return found;
}

FigureColumn column_of(std::span<const Comparison> comparisons, std::span<const Measure> measures,
                       const std::string& text) {
  const size_t colon = text.find(':');
  const std::string experiment = colon == std::string::npos ? "" : text.substr(0, colon);
  const std::string name = colon == std::string::npos ? text : text.substr(colon + 1);
  std::vector<std::string> known;
  FigureColumn column{{}, experiment, {}, ""};
  auto& having = column.comparisons;
  for (const Comparison& comparison : comparisons) {
    if (!experiment.empty() && std::ranges::count(comparison.experiments, experiment) == 0)
      continue;
    for (const Measure& measure : occurring({&comparison, 1}, measures)) {
      known.emplace_back(measure.name);
      if (measure.name != name) continue;
      // Figures of one name are not one figure in several experiments.
      if (experiment.empty() && !having.empty() && comparison.experiments != having[0]->experiments)
        throw usage_error("--side-by-side: found the figure \"" + name + "\" in " +
                          joined(having[0]->experiments) + " and in " +
                          joined(comparison.experiments) + ", expected EXPERIMENT:" + name);
      if (having.empty()) column.measure = measure;
      having.push_back(&comparison);
    }
  }
  column.heading = (experiment.empty() ? "" : experiment + " ") + phrase(column.measure.heading);
  if (!having.empty()) return column;
  throw usage_error("--side-by-side: no run has the figure \"" + text + "\"" +
                    figure_hint(name, known, measures));
}

// The row's difference from the baseline's, whichever of them came first; empty where no comparison has both.
std::string difference(const Measure& measure, const FigureRow& row, const FigureRow& baseline) {
  if (row.comparison != baseline.comparison) return "";
  const std::string &arm = row.arm->label, &base = baseline.arm->label;
  for (const ArmDifference& d : row.comparison->differences) {
    const bool forward = d.arm == arm && d.baseline == base;
    if (!forward && !(d.arm == base && d.baseline == arm)) continue;
    const auto found = d.intervals.find(std::string(measure.name));
    if (found == d.intervals.end()) return "";
    const Interval& one = found->second;
    const int decimals = std::max(measure.decimals, 0);
    const double sign = forward ? 1 : -1;
    const std::string interval =
        in_brackets(forward ? one.low : -one.high, forward ? one.high : -one.low, decimals);
    return with_sign(sign * one.difference, decimals) + (interval.empty() ? "" : " ") + interval;
  }
  return "";
}

}  // namespace

std::string render_side_by_side(std::span<const Comparison> comparisons,
                                std::span<const Measure> measures, const SideBySide& how,
                                Format format) {
  if (format != Format::table && format != Format::markdown)
    throw usage_error("--side-by-side: expected --format table or markdown");
  std::vector<std::string> arms;
  for (const Comparison& comparison : comparisons)
    for (const ArmSummary& arm : comparison.arms)
      if (std::ranges::count(arms, arm.arm) == 0) arms.push_back(arm.arm);
  if (!how.baseline.empty() && std::ranges::count(arms, how.baseline) == 0)
    throw usage_error("--baseline: no run has the arm \"" + how.baseline +
                      "\", expected one of: " + joined(arms));

  Table table;
  table.columns = {{phrase("arm"), false}};
  for (const std::string& arm : arms) table.rows.push_back({arm});
  for (const std::string& text : how.columns) {
    const FigureColumn column = column_of(comparisons, measures, text);
    const bool differs = std::ranges::any_of(column.comparisons, [&](const Comparison* one) {
      return has_interval({one, 1}, column.measure);
    });
    const FigureRow baseline =
        how.baseline.empty() || !differs ? FigureRow{} : row_of(column, how.baseline);
    table.columns.push_back({column.heading});
    if (baseline.arm != nullptr) table.columns.push_back({phrase("- {0} [95 %]", {how.baseline})});
    for (size_t row = 0; row < arms.size(); ++row) {
      const FigureRow found = row_of(column, arms[row]);
      const bool has = found.arm != nullptr;
      table.rows[row].push_back(has ? cell(found.arm->figures.at(std::string(column.measure.name)),
                                           column.measure.decimals)
                                    : "");
      if (baseline.arm != nullptr)
        table.rows[row].push_back(
            has && found.arm != baseline.arm ? difference(column.measure, found, baseline) : "");
    }
  }
  return format == Format::markdown ? markdown_table(table) : plain_table(table);
}

}  // namespace minibert

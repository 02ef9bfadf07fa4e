#include "compare/side_by_side.h"

#include <algorithm>

#include "compare/table.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "core/text.h"

namespace minibert {
namespace {

struct FigureColumn {
  const Comparison* comparison;
  std::string experiment;  // empty: whichever of the comparison's
  Measure measure;
  std::string heading;
};

// The column's row of an arm, null where it has none. Throws usage Error where it has several.
const ArmSummary* arm_of(const FigureColumn& column, const std::string& name) {
  const ArmSummary* found = nullptr;
  for (const ArmSummary& arm : column.comparison->arms) {
    if (arm.arm != name || (!column.experiment.empty() && arm.experiment != column.experiment))
      continue;
    if (found != nullptr)
      throw usage_error("--side-by-side: found several rows of the arm \"" + name + "\" (" +
                        found->label + ", " + arm.label +
                        "), expected one: name EXPERIMENT:FIGURE, --profile or --filter");
    found = &arm;
  }
  return found;
}

FigureColumn column_of(std::span<const Comparison> comparisons, std::span<const Measure> measures,
                       const std::string& text) {
  const size_t colon = text.find(':');
  const std::string experiment = colon == std::string::npos ? "" : text.substr(0, colon);
  const std::string name = colon == std::string::npos ? text : text.substr(colon + 1);
  std::vector<std::string> known;
  for (const Comparison& comparison : comparisons) {
    if (!experiment.empty() && std::ranges::count(comparison.experiments, experiment) == 0)
      continue;
    for (const Measure& measure : occurring({&comparison, 1}, measures)) {
      if (measure.name == name)
        return {&comparison, experiment, measure,
                (experiment.empty() ? "" : experiment + " ") + std::string(measure.heading)};
      known.emplace_back(measure.name);
    }
  }
  const std::string near = nearest(name, known);
  throw usage_error("--side-by-side: no run has the figure \"" + text + "\"" +
                    (near.empty() ? "" : ", did you mean \"" + near + "\"?"));
}

// The arm's difference from the baseline, whichever of them came first.
std::string difference(const FigureColumn& column, const ArmSummary& arm,
                       const ArmSummary& baseline) {
  for (const ArmDifference& d : column.comparison->differences) {
    const bool forward = d.arm == arm.label && d.baseline == baseline.label;
    if (!forward && !(d.arm == baseline.label && d.baseline == arm.label)) continue;
    const auto found = d.intervals.find(std::string(column.measure.name));
    if (found == d.intervals.end()) return "";
    const Interval& one = found->second;
    const int decimals = std::max(column.measure.decimals, 0);
    const double sign = forward ? 1 : -1;
    return with_sign(sign * one.difference, decimals) + " [" +
           with_sign(forward ? one.low : -one.high, decimals) + ", " +
           with_sign(forward ? one.high : -one.low, decimals) + "]";
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
  table.columns = {{"arm", false}};
  for (const std::string& arm : arms) table.rows.push_back({arm});
  for (const std::string& text : how.columns) {
    const FigureColumn column = column_of(comparisons, measures, text);
    const ArmSummary* baseline =
        how.baseline.empty() || !has_interval({column.comparison, 1}, column.measure)
            ? nullptr
            : arm_of(column, how.baseline);
    table.columns.push_back({column.heading});
    if (baseline != nullptr) table.columns.push_back({"- " + how.baseline + " [95 %]"});
    for (size_t row = 0; row < arms.size(); ++row) {
      const ArmSummary* arm = arm_of(column, arms[row]);
      const auto figure = arm == nullptr ? std::map<std::string, Figure>::const_iterator()
                                         : arm->figures.find(std::string(column.measure.name));
      const bool has = arm != nullptr && figure != arm->figures.end();
      table.rows[row].push_back(has ? cell(figure->second, column.measure.decimals) : "");
      if (baseline != nullptr)
        table.rows[row].push_back(has && arm != baseline ? difference(column, *arm, *baseline)
                                                         : "");
    }
  }
  return format == Format::markdown ? markdown_table(table) : plain_table(table);
}

}  // namespace minibert

// Renders a comparison for programs: JSON and CSV.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "compare/render.h"
#include "compare/table.h"
#include "core/shown_json.h"
#include "core/text.h"

namespace minibert {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr double kConfidence = 0.95;

OrderedJson to_json(const ArmSummary& arm) {
  OrderedJson row = {
      {"experiment", arm.experiment}, {"profile", arm.profile}, {"arm", arm.arm},
      {"label", arm.label},           {"seeds", arm.seeds},     {"floor", arm.is_floor}};
  row["figures"] = OrderedJson::object();
  // JSON has no NaN; nlohmann writes null for it.
  for (const auto& [name, figure] : arm.figures)
    row["figures"][name] = {
        {"mean", figure.mean}, {"deviation", figure.deviation}, {"runs", figure.runs}};
  return row;
}

OrderedJson to_json(const ArmDifference& difference) {
  OrderedJson row = {{"arm", difference.arm},
                     {"baseline", difference.baseline},
                     {"confidence", kConfidence},
                     {"runs_measured", difference.runs_measured},
                     {"asked", difference.is_asked}};
  row["intervals"] = OrderedJson::object();
  for (const auto& [name, i] : difference.intervals)
    row["intervals"][name] = {{"difference", i.difference},
                              {"low", i.low},
                              {"high", i.high},
                              {"error", i.error},
                              {"detectable", i.detectable},
                              {"p", i.p},
                              {"p_holm", difference.p_holm.at(name)},
                              {"p_swap", i.p_exchanged},
                              {"p_higher", i.higher}};
  return row;
}

constexpr std::string_view kFixedColumns[] = {"kind",     "experiment", "profile", "arm",
                                              "baseline", "runs",       "examples"};

// A figure's columns of its interval, as the words of the JSON.
constexpr const char* kOfInterval[] = {"_low", "_high",   "_error",  "_detectable",
                                       "_p",   "_p_holm", "_p_swap", "_p_higher"};

// Returns a figure's column name, distinct from the columns of every table.
std::string column_name(const Measure& measure) {
  const bool taken = std::ranges::find(kFixedColumns, measure.name) != std::end(kFixedColumns);
  return (taken ? "figure_" : "") + std::string(measure.name);
}

}  // namespace

std::string precise(double value) { return std::isnan(value) ? "" : nlohmann::json(value).dump(); }

std::string as_json(const std::vector<Comparison>& comparisons) {
  OrderedJson json = OrderedJson::array();
  for (const Comparison& comparison : comparisons) {
    OrderedJson one = {{"experiments", comparison.experiments},
                       {"profiles", comparison.profiles},
                       {"data", comparison.data},
                       {"examples", comparison.examples},
                       {"clusters", comparison.clusters},
                       {"clusters_known", comparison.clusters_known},
                       {"asked", comparison.asked},
                       {"left_out", comparison.left_out},
                       {"arms", OrderedJson::array()},
                       {"differences", OrderedJson::array()}};
    for (const ArmSummary& arm : comparison.arms) one["arms"].push_back(to_json(arm));
    for (const ArmDifference& d : comparison.differences) one["differences"].push_back(to_json(d));
    one["warnings"] = comparison.warnings;
    json.push_back(std::move(one));
  }
  return shown_json(json) + "\n";
}

std::string as_csv(const std::vector<Comparison>& comparisons, std::span<const Measure> measures) {
  const std::vector<Measure> shown = occurring(comparisons, measures);
  std::vector<bool> with_interval;
  std::string out = joined({std::begin(kFixedColumns), std::end(kFixedColumns)}, ",");
  for (const Measure& measure : shown) {
    const std::string name = column_name(measure);
    with_interval.push_back(has_interval(comparisons, measure));
    out += "," + csv_field(name) + "," + csv_field(name + "_deviation");
    if (with_interval.back())
      for (const char* ending : kOfInterval) out += "," + csv_field(name + ending);
  }
  out += "\n";
  for (const Comparison& comparison : comparisons) {
    for (const ArmSummary& arm : comparison.arms) {
      out += "arm," + csv_field(arm.experiment) + "," + csv_field(arm.profile) + "," +
             csv_field(arm.arm) + ",," + std::to_string(arm.seeds.size()) + ",";
      for (size_t i = 0; i < shown.size(); ++i) {
        const auto found = arm.figures.find(std::string(shown[i].name));
        const bool has = found != arm.figures.end();
        out += "," + (has ? precise(found->second.mean) : "") + ",";
        if (has) out += precise(found->second.deviation);
        if (with_interval[i]) out += std::string(std::size(kOfInterval), ',');
      }
      out += "\n";
    }
    for (const ArmDifference& d : comparison.differences) {
      out += "difference," + csv_field(joined(comparison.experiments)) + "," +
             csv_field(joined(comparison.profiles)) + "," + csv_field(d.arm) + "," +
             csv_field(d.baseline) + ",," + std::to_string(comparison.examples);
      for (size_t i = 0; i < shown.size(); ++i) {
        const auto found = d.intervals.find(std::string(shown[i].name));
        const bool has = found != d.intervals.end();
        out += "," + (has ? precise(found->second.difference) : "") + ",";
        if (!with_interval[i]) continue;
        if (!has) {
          out += std::string(std::size(kOfInterval), ',');
          continue;
        }
        const Interval& one = found->second;
        for (const double value :
             {one.low, one.high, one.error, one.detectable, one.p,
              d.p_holm.at(std::string(shown[i].name)), one.p_exchanged, one.higher})
          out += "," + precise(value);
      }
      out += "\n";
    }
  }
  return out;
}

}  // namespace minibert

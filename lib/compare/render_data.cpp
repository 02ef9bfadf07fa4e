// Renders a comparison for programs: JSON.
#include <nlohmann/json.hpp>

#include "compare/render.h"
#include "core/shown_json.h"

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

}  // namespace

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

}  // namespace minibert

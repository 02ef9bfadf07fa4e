#include "record/run_notes.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string_view>

#include "core/excerpt.h"
#include "record/layout.h"

namespace minibert {
namespace {

bool trains(const RunRecord& record) {
  const auto steps = record.summary.find("steps");
  return steps != record.summary.end() && steps->second > 0;
}

bool all_equal(const auto& values) {
  return std::ranges::adjacent_find(values, std::not_equal_to()) == values.end();
}

// Returns true if all rows are tags ("O B-PS I-PS") and some name an entity.
bool are_tags(const std::vector<std::string>& gold) {
  return std::ranges::any_of(gold, [](const std::string& text) {
    return text.starts_with("B-") || text.find(" B-") != std::string::npos;
  });
}

}  // namespace

std::vector<std::string> training_notes(const RunRecord& record) {
  std::vector<std::string> notes;
  if (!trains(record)) return notes;
  for (const auto& [name, series] : record.metrics)
    if (name.starts_with("train/") && name.ends_with("loss") && !series.value.empty() &&
        std::ranges::all_of(series.value, [](double value) { return value == 0; }))
      notes.push_back("learnt nothing: " + name +
                      " was 0 at every step, so no example had a target");
  const nlohmann::json::json_pointer monitor_key("/arms/0/train/monitor");
  if (!record.config.contains(monitor_key) || !record.config.at(monitor_key).is_string())
    return notes;
  const std::string monitor = record.config.at(monitor_key);
  const auto found = record.metrics.find("dev/" + monitor);
  if (found == record.metrics.end() || found->second.value.size() < 3) return notes;
  const std::vector<double>& values = found->second.value;
  if (!all_equal(values)) return notes;
  char value[32];
  std::snprintf(value, sizeof value, "%.4g", values.front());
  notes.push_back("its dev " + monitor + " was " + value + " after each of " +
                  std::to_string(values.size()) + " epochs");
  return notes;
}

std::vector<std::string> prediction_notes(const RunRecord& record) {
  if (!trains(record) || !record.predictions) return {};
  return prediction_notes(*record.predictions);
}

std::vector<std::string> prediction_notes(const Predictions& predictions) {
  const auto& texts = predictions.texts;
  const auto gold = texts.find("gold"), prediction = texts.find(layout::kPredictionColumn);
  if (gold == texts.end() || prediction == texts.end() || gold->second.size() < 2) return {};
  const std::string all = " all " + std::to_string(gold->second.size()) + " examples";
  const std::string_view nothing = are_tags(gold->second) ? "O " : "";
  const auto says_nothing = [&](std::string_view text) {
    return text.find_first_not_of(nothing) == std::string_view::npos;
  };
  if (std::ranges::all_of(gold->second, says_nothing))
    return {"is measured by nothing: none of " + std::to_string(gold->second.size()) +
            " examples has a target"};
  if (std::ranges::all_of(prediction->second, says_nothing)) return {"predicts nothing for" + all};
  if (all_equal(prediction->second) && !all_equal(gold->second))
    return {"predicts \"" + excerpt(prediction->second.front()) + "\" for" + all};
  return {};
}

}  // namespace minibert

#include "report/report_axes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "compare/spent.h"
#include "report/report_examples.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr int kAxisDigits = 7;

json to_json(const SpentBySteps& axis) {
  json steps = json::array(), values = json::array();
  const size_t last = axis.step.size() - 1;
  const size_t stretches = std::min(last, kMostPoints);
  for (size_t i = 0; i <= stretches; ++i) {
    const size_t k = i * last / stretches;
    steps.push_back(axis.step[k]);
    values.push_back(rounded(axis.value[k], kAxisDigits));
  }
  return {steps, values};
}

std::optional<double> number_at(const json& in, const char* pointer) {
  const json::json_pointer place(pointer);
  if (!in.contains(place) || !in[place].is_number()) return {};
  return in[place].get<double>();
}

// Steps of an epoch that has not ended: as many as of the one before.
std::optional<double> epoch_length(const RunRecord& record, const std::vector<int64_t>& ends) {
  if (!ends.empty())
    return static_cast<double>(ends.back() - (ends.size() > 1 ? ends[ends.size() - 2] : 0));
  const auto examples = number_at(record.data, "/splits/train/examples");
  auto batch = number_at(record.config, "/arms/0/train/phases/0/batch_size");
  if (!batch) batch = number_at(record.config, "/arms/0/train/batch_size");
  if (!examples || !batch || *examples <= 0 || *batch <= 0) return {};
  return std::ceil(*examples / *batch);
}

std::optional<SpentBySteps> epochs(const RunRecord& record, int64_t last) {
  std::vector<int64_t> ends;
  for (const auto& [name, series] : record.metrics)
    if (name.starts_with("dev/") && series.step.size() > ends.size()) ends = series.step;
  // A budget most likely ends a run within an epoch. Older records do not tell the end.
  const auto most = number_at(record.config, "/arms/0/train/max_steps");
  const bool by_steps = record.ended_by.empty() && most && *most > 0 && !ends.empty() &&
                        static_cast<double>(ends.back()) >= *most;
  if (!ends.empty() && (by_steps || record.ended_by.starts_with("max_"))) ends.pop_back();
  SpentBySteps axis;
  for (const int64_t end : ends) axis.add(end, 1);
  if (last <= axis.step.back()) return axis;
  const auto length = epoch_length(record, ends);
  if (!length) return {};
  axis.add(last, std::min(1.0, static_cast<double>(last - axis.step.back()) / *length));
  return axis;
}

}  // namespace

json step_axes(const RunRecord& record) {
  json out = json::object();
  const int64_t last = steps_made(record);
  if (last <= 0) return out;
  if (const auto axis = epochs(record, last)) out["epoch"] = to_json(*axis);
  for (const Budget budget : {Budget::flops, Budget::tokens})
    if (const auto spent = spent_by_steps(record, budget); spent && spent->total() > 0)
      out[to_string(budget)] = to_json(*spent);
  if (const auto seconds = seconds_by_speed(record)) out["seconds"] = to_json(*seconds);
  return out;
}

}  // namespace minibert

#include "report/report_axes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "report/report_examples.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr int kAxisDigits = 7;

struct Axis {
  std::vector<int64_t> step = {0};
  std::vector<double> value = {0};

  void add(int64_t at, double more) {
    step.push_back(at);
    value.push_back(value.back() + more);
  }
};

json to_json(const Axis& axis) {
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

// Of a finished run from its summary, of another one from where it would go on.
std::optional<double> total(const RunRecord& record, const char* in_summary,
                            const char* in_resume) {
  if (const auto found = record.summary.find(in_summary); found != record.summary.end())
    return found->second;
  if (record.resume) return number_at(record.resume->numbers, in_resume);
  return {};
}

std::optional<double> total_tokens(const RunRecord& record) {
  const auto speed = record.summary.find("tokens_per_second");
  const auto seconds = record.summary.find("train_seconds");
  if (speed != record.summary.end() && seconds != record.summary.end())
    return speed->second * seconds->second;
  if (record.resume) return number_at(record.resume->numbers, "/tokens");
  return {};
}

int64_t steps_made(const RunRecord& record) {
  const auto counted = static_cast<int64_t>(total(record, "steps", "/step").value_or(0));
  return std::max(counted, last_step(record.metrics));
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

std::optional<Axis> epochs(const RunRecord& record, int64_t last) {
  std::vector<int64_t> ends;
  for (const auto& [name, series] : record.metrics)
    if (name.starts_with("dev/") && series.step.size() > ends.size()) ends = series.step;
  // Ended by max_steps: most likely within an epoch.
  const auto most = number_at(record.config, "/arms/0/train/max_steps");
  if (most && *most > 0 && !ends.empty() && static_cast<double>(ends.back()) >= *most)
    ends.pop_back();
  Axis axis;
  for (const int64_t end : ends) axis.add(end, 1);
  if (last <= axis.step.back()) return axis;
  const auto length = epoch_length(record, ends);
  if (!length) return {};
  axis.add(last, std::min(1.0, static_cast<double>(last - axis.step.back()) / *length));
  return axis;
}

// Every step counts for equally many tokens, so that a stretch takes time by its steps and speed.
Axis paces(const RunRecord& record, int64_t last) {
  Axis axis;
  double speed = 1;
  if (const auto found = record.metrics.find("train/tokens_per_second");
      found != record.metrics.end()) {
    const MetricSeries& series = found->second;
    for (size_t i = 0; i < series.step.size(); ++i) {
      if (!std::isfinite(series.value[i]) || series.value[i] <= 0) continue;
      const int64_t at = std::min(series.step[i], last);
      if (at <= axis.step.back()) continue;
      speed = series.value[i];
      axis.add(at, static_cast<double>(at - axis.step.back()) / speed);
    }
  }
  if (last > axis.step.back()) axis.add(last, static_cast<double>(last - axis.step.back()) / speed);
  return axis;
}

}  // namespace

json step_axes(const RunRecord& record) {
  json out = json::object();
  const int64_t last = steps_made(record);
  if (last <= 0) return out;
  if (const auto axis = epochs(record, last)) out["epoch"] = to_json(*axis);
  if (const auto tokens = total_tokens(record); tokens && *tokens > 0) {
    Axis axis;
    axis.add(last, *tokens);
    out["tokens"] = to_json(axis);
  }
  if (const auto seconds = total(record, "train_seconds", "/seconds"); seconds && *seconds > 0) {
    Axis axis = paces(record, last);
    const double scale = *seconds / axis.value.back();
    for (double& value : axis.value) value *= scale;
    out["seconds"] = to_json(axis);
  }
  return out;
}

}  // namespace minibert

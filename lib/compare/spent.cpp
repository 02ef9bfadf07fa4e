#include "compare/spent.h"

#include <algorithm>
#include <cmath>

namespace minibert {
namespace {

// Reads a finished run's total from its summary, another one's from where it would go on.
std::optional<double> total(const RunRecord& record, const char* in_summary,
                            const char* in_resume) {
  if (const auto found = record.summary.find(in_summary); found != record.summary.end())
    return found->second;
  if (!record.resume) return {};
  const nlohmann::json found = record.resume->numbers.value(in_resume, nlohmann::json());
  return found.is_number() ? std::optional(found.get<double>()) : std::nullopt;
}

std::optional<double> total_tokens(const RunRecord& record) {
  const auto speed = record.summary.find("tokens_per_second");
  const auto seconds = record.summary.find("train_seconds");
  if (speed != record.summary.end() && seconds != record.summary.end())
    return speed->second * seconds->second;
  return total(record, "tokens", "tokens");
}

// As the recorder wrote it at every evaluation.
std::optional<SpentBySteps> recorded(const RunRecord& record, Budget budget) {
  const auto found = record.metrics.find(std::string("spent/") + to_string(budget));
  if (found == record.metrics.end() || found->second.step.empty()) return {};
  SpentBySteps out;
  const auto teacher = record.metrics.find("spent/teacher_flops");
  for (size_t i = 0; i < found->second.step.size(); ++i) {
    double value = found->second.value[i];
    if (budget == Budget::flops && teacher != record.metrics.end() &&
        i < teacher->second.value.size())
      value += teacher->second.value[i];
    if (found->second.step[i] <= out.step.back() || value < out.total()) continue;
    out.step.push_back(found->second.step[i]);
    out.value.push_back(value);
  }
  return out;
}

}  // namespace

double SpentBySteps::at(int64_t wanted) const {
  const auto above = std::ranges::lower_bound(step, wanted);
  if (above == step.end()) return total();
  const auto i = static_cast<size_t>(above - step.begin());
  if (*above == wanted || i == 0) return value[i];
  const double share =
      static_cast<double>(wanted - step[i - 1]) / static_cast<double>(step[i] - step[i - 1]);
  return value[i - 1] + share * (value[i] - value[i - 1]);
}

int64_t steps_made(const RunRecord& record) {
  const auto counted = static_cast<int64_t>(total(record, "steps", "step").value_or(0));
  return std::max(counted, last_step(record.metrics));
}

std::optional<SpentBySteps> seconds_by_speed(const RunRecord& record) {
  const int64_t last = steps_made(record);
  const auto seconds = total(record, "train_seconds", "seconds");
  if (last <= 0 || !seconds || *seconds <= 0) return {};
  // Every step counts for equally many tokens, so that a stretch takes time by its steps and speed.
  SpentBySteps out;
  out.estimated = true;
  double speed = 1;
  if (const auto found = record.metrics.find("train/tokens_per_second");
      found != record.metrics.end()) {
    const MetricSeries& series = found->second;
    for (size_t i = 0; i < series.step.size(); ++i) {
      if (!std::isfinite(series.value[i]) || series.value[i] <= 0) continue;
      const int64_t at = std::min(series.step[i], last);
      if (at <= out.step.back()) continue;
      speed = series.value[i];
      out.add(at, static_cast<double>(at - out.step.back()) / speed);
    }
  }
  if (last > out.step.back()) out.add(last, static_cast<double>(last - out.step.back()) / speed);
  const double scale = *seconds / out.total();
  for (double& value : out.value) value *= scale;
  return out;
}

std::optional<SpentBySteps> spent_by_steps(const RunRecord& record, Budget budget) {
  if (const auto found = recorded(record, budget)) return found;
  if (budget == Budget::seconds) return seconds_by_speed(record);
  if (budget == Budget::flops) return {};
  const auto tokens = total_tokens(record);
  const int64_t last = steps_made(record);
  if (!tokens || *tokens <= 0 || last <= 0) return {};
  SpentBySteps out;
  out.estimated = true;
  out.add(last, *tokens);
  return out;
}

}  // namespace minibert

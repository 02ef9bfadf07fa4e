#include "report/live.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "record/progress.h"
#include "record/run_lock.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr int kDotsAcross = 2, kDotsDown = 4;
constexpr char32_t kBraille = 0x2800;
// Bit of the dot at [row][column] in a Braille character (Unicode's order).
constexpr char32_t kDot[kDotsDown][kDotsAcross] = {
    {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

void add_metrics(const std::string& split, const json& line, LiveRun* run) {
  const auto metrics = line.find(split);
  if (metrics == line.end() || !metrics->is_object()) return;
  for (const auto& [name, value] : metrics->items()) {
    if (!value.is_number()) continue;
    MetricSeries& series = run->metrics[split + "/" + name];
    series.step.push_back(run->step);
    series.value.push_back(value);
  }
}

void add_line(const json& line, LiveRun* run) {
  const auto take = [&](const char* key, auto* out) {
    const auto found = line.find(key);
    if (found != line.end() && found->is_number()) *out = *found;
  };
  take("step", &run->step);
  take("steps", &run->steps);
  take("epoch", &run->epoch);
  take("epochs", &run->epochs);
  take("seconds_left", &run->seconds_left);
  take("examples_per_second", &run->examples_per_second);
  add_metrics("train", line, run);
  add_metrics("dev", line, run);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string time_text(double seconds) {
  const auto all = static_cast<long>(std::max(0.0, seconds) + 0.5);
  char text[32];
  std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", all / 3600, all / 60 % 60, all % 60);
  return text;
}

}  // namespace

LiveRun read_live(const std::string& record_path) {
  LiveRun run;
  run.name = record_path;
  // Asked before the record is read and after it: one that ends or begins meanwhile has not stopped.
  const bool was_held = run_is_held(record_path);
  std::ifstream log(progress_path(record_path));
  const bool has_record = std::filesystem::exists(record_path);
  if (!log && !has_record) throw Error(record_path + ": has neither a record nor a progress log");
  for (std::string text; next_line(log, &text);) {
    const json line = json::parse(text, nullptr, false);
    if (line.is_object()) add_line(line, &run);
  }
  if (has_record) {
    RunRecord record = load_record(record_path, Load::summary);
    run.status = record.status;
    // A record without its log (a stored one) has the curves too.
    if (run.metrics.empty()) run.metrics = std::move(record.metrics);
  }
  if (run.status == "running" && !was_held && !run_is_held(record_path)) run.status = "stopped";
  return run;
}

std::string text_plot(const MetricSeries& series, int width, int height) {
  std::vector<std::pair<double, double>> points;
  for (size_t i = 0; i < series.value.size(); ++i)
    if (std::isfinite(series.value[i]))
      points.emplace_back(static_cast<double>(series.step[i]), series.value[i]);
  if (points.size() < 2) return "";
  const double first = points.front().first, last = points.back().first;
  const auto [least, most] =
      std::ranges::minmax_element(points, {}, [](const auto& point) { return point.second; });
  const double low = least->second, high = most->second;
  const int columns = width * kDotsAcross, rows = height * kDotsDown;
  std::vector<std::u32string> text(static_cast<size_t>(height),
                                   std::u32string(static_cast<size_t>(width), kBraille));
  const auto row_of = [&](double value) {
    const double share = high > low ? (value - low) / (high - low) : 0.5;
    return static_cast<int>(std::lround((1 - share) * (rows - 1)));
  };
  const auto dot = [&](int column, int row) {
    text[static_cast<size_t>(row / kDotsDown)][static_cast<size_t>(column / kDotsAcross)] |=
        kDot[row % kDotsDown][column % kDotsAcross];
  };
  // Each column of dots: the curve there, and its connection from the previous column.
  size_t at = 0;
  int before = row_of(points.front().second);
  for (int column = 0; column < columns; ++column) {
    const double step = first + (last - first) * column / (columns - 1);
    while (at + 2 < points.size() && points[at + 1].first < step) ++at;
    const auto& [x0, y0] = points[at];
    const auto& [x1, y1] = points[at + 1];
    const double share = x1 > x0 ? std::clamp((step - x0) / (x1 - x0), 0.0, 1.0) : 1;
    const int row = row_of(y0 + share * (y1 - y0));
    dot(column, row);
    for (int between = before; between != row; between += row > before ? 1 : -1)
      if (between != before) dot(column, between);
    before = row;
  }
  std::string out;
  for (size_t row = 0; row < text.size(); ++row)
    out += "  " + to_utf8(text[row]) +
           (row == 0                 ? " " + number(high)
            : row + 1 == text.size() ? " " + number(low)
                                     : "") +
           "\n";
  return out;
}

std::string live_text(const LiveRun& run, int width, int height) {
  std::string out = run.name + "  " + run.status;
  if (run.steps > 0)
    out += "  epoch " + std::to_string(run.epoch) + "/" + std::to_string(run.epochs) + "  step " +
           std::to_string(run.step) + "/" + std::to_string(run.steps) + "  " +
           number(run.examples_per_second) + " examples/s";
  if (run.status == "running" && run.steps > 0) out += "  " + time_text(run.seconds_left) + " left";
  out += "\n";
  for (const auto& [name, series] : run.metrics) {
    const std::string plot = text_plot(series, width, height);
    if (!plot.empty()) out += name + "  " + number(series.value.back()) + "\n" + plot;
  }
  return out;
}

}  // namespace minibert

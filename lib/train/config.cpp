#include "train/config.h"

#include <algorithm>
#include <cmath>

#include "train/config_fields.h"

namespace minibert {

TrainConfig read_train_config(ConfigReader& reader) {
  TrainConfig config;
  read_fields(reader, config);
  if (config.patience > 0 && config.monitor == "none")
    reader.fail("monitor", "found \"none\", expected a dev metric where patience is set");
  return config;
}

nlohmann::json to_json(const TrainConfig& config) { return written_fields(config); }

namespace {

// Steps that count towards the end of the schedule.
double schedule_steps(const TrainConfig& config, int64_t step) {
  return static_cast<double>(config.schedule_end == kAboveZero ? step : step + 1);
}

}  // namespace

double learning_rate(const TrainConfig& config, int64_t step, int64_t total) {
  const double peak = config.optimizer.lr;
  const double warmup = std::floor(config.warmup * static_cast<double>(total));
  const auto now = static_cast<double>(step + 1);
  if (now <= warmup) return peak * now / warmup;
  if (config.schedule == "constant") return peak;
  const double fallen = schedule_steps(config, step) - warmup;
  const double progress = fallen / std::max(1.0, static_cast<double>(total) - warmup);
  if (config.schedule == "linear") return peak * std::max(0.0, 1.0 - progress);
  return peak * 0.5 * (1.0 + std::cos(M_PI * std::min(1.0, progress)));
}

}  // namespace minibert

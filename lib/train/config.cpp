#include "train/config.h"

#include <algorithm>
#include <cmath>

#include "train/config_fields.h"

namespace minibert {

TrainConfig read_train_config(ConfigReader& reader) {
  TrainConfig config;
  read_fields(reader, config);
  if (config.patience > 0 && config.monitor == "none")
    reader.fail("monitor", "found \"none\", expected a dev metric with patience");
  if (config.schedule != "trapezoid" && reader.has("cooldown"))
    reader.fail("cooldown", "found with schedule \"" + config.schedule +
                                "\", expected it only with \"trapezoid\"");
  const OptimizerConfig& optimizer = config.optimizer;
  const bool muon = optimizer.type == "muon";
  if (!muon && reader.has("optimizer") && reader.object("optimizer").has("muon_lr"))
    reader.fail("optimizer.muon_lr",
                "found with type \"" + optimizer.type + "\", expected it only with \"muon\"");
  if (muon && optimizer.lr == 0)
    reader.fail("optimizer.lr", "found 0, expected more: the rate of \"muon\" follows it");
  if (optimizer.cautious_decay && (optimizer.type == "adam" || optimizer.weight_decay == 0))
    reader.fail("optimizer.cautious_decay",
                "found true without weight decay, expected \"adamw\" or \"muon\" and a "
                "weight_decay");
  if (config.schedule == "trapezoid" && config.warmup + config.cooldown > 1)
    reader.fail("cooldown", "found " + nlohmann::json(config.cooldown).dump() +
                                ", expected at most what a warmup of " +
                                nlohmann::json(config.warmup).dump() + " leaves");
  return config;
}

nlohmann::json to_json(const TrainConfig& config) { return written_fields(config); }

namespace {

// Steps that count towards the end of the schedule.
double schedule_steps(const TrainConfig& config, int64_t step) {
  return static_cast<double>(config.schedule_end == kAboveZero ? step : step + 1);
}

// The rate where `done` of `all` that follows the warm-up is done; a trapezoid falls in the last `cooldown` of it.
double rate_after(const TrainConfig& config, double done, double all, double cooldown) {
  const double peak = config.optimizer.lr;
  if (config.schedule == "trapezoid") {
    const double fallen = done - (all - cooldown);
    return fallen > 0 ? peak * std::max(0.0, 1.0 - fallen / cooldown) : peak;
  }
  if (config.schedule == "constant") return peak;
  const double progress = done / all;
  if (config.schedule == "linear") return peak * std::max(0.0, 1.0 - progress);
  return peak * 0.5 * (1.0 + std::cos(M_PI * std::min(1.0, progress)));
}

}  // namespace

double learning_rate(const TrainConfig& config, int64_t step, int64_t total) {
  const double peak = config.optimizer.lr;
  const double warmup = std::floor(config.warmup * static_cast<double>(total));
  const auto now = static_cast<double>(step + 1);
  if (now <= warmup) return peak * now / warmup;
  return rate_after(config, schedule_steps(config, step) - warmup,
                    std::max(1.0, static_cast<double>(total) - warmup),
                    std::floor(config.cooldown * static_cast<double>(total)));
}

double learning_rate_at(const TrainConfig& config, double before, double after) {
  const double peak = config.optimizer.lr;
  if (config.warmup > 0 && after <= config.warmup) return peak * after / config.warmup;
  return rate_after(
      config, std::max(0.0, (config.schedule_end == kAboveZero ? before : after) - config.warmup),
      std::max(1e-9, 1 - config.warmup), config.cooldown);
}

}  // namespace minibert

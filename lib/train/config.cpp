#include "train/config.h"

#include <algorithm>
#include <cmath>

namespace minibert {

TrainConfig read_train_config(ConfigReader& reader) {
  TrainConfig config;
  config.epochs = reader.integer("epochs", 1, 100000, config.epochs);
  config.max_steps = reader.integer("max_steps", 0, INT64_MAX, config.max_steps);
  config.batch_size = reader.integer("batch_size", 1, 65536, config.batch_size);
  config.gradient_accumulation =
      reader.integer("gradient_accumulation", 1, 65536, config.gradient_accumulation);
  config.patience = reader.integer("patience", 0, 100000, config.patience);
  config.monitor = reader.string("monitor", config.monitor);
  ConfigReader optimizer = reader.object("optimizer");
  OptimizerConfig& o = config.optimizer;
  o.type = optimizer.choice("type", {"adam", "adamw"}, o.type);
  o.lr = optimizer.number("lr", 0, 10, o.lr);
  o.beta1 = optimizer.number("beta1", 0, 0.999999, o.beta1);
  o.beta2 = optimizer.number("beta2", 0, 0.999999, o.beta2);
  o.eps = optimizer.number("eps", 1e-16, 1, o.eps);
  o.weight_decay = optimizer.number("weight_decay", 0, 10, o.weight_decay);
  o.decay = optimizer.choice("decay", {"matrices", "all"}, o.decay);
  optimizer.finish();
  config.schedule = reader.choice("schedule", {"constant", "linear", "cosine"}, config.schedule);
  config.warmup = reader.number("warmup", 0, 1, config.warmup);
  config.clip_norm = reader.number("clip_norm", 0, 1e6, config.clip_norm);
  config.log_every = reader.integer("log_every", 1, 1000000, config.log_every);
  if (config.patience > 0 && config.monitor == "none")
    reader.fail("monitor", "found \"none\", expected a dev metric where patience is set");
  return config;
}

nlohmann::json to_json(const TrainConfig& config) {
  const OptimizerConfig& o = config.optimizer;
  nlohmann::json json = {{"epochs", config.epochs},
                         {"max_steps", config.max_steps},
                         {"batch_size", config.batch_size},
                         {"patience", config.patience},
                         {"monitor", config.monitor},
                         {"optimizer",
                          {{"type", o.type},
                           {"lr", o.lr},
                           {"beta1", o.beta1},
                           {"beta2", o.beta2},
                           {"eps", o.eps},
                           {"weight_decay", o.weight_decay},
                           {"decay", o.decay}}},
                         {"schedule", config.schedule},
                         {"warmup", config.warmup},
                         {"clip_norm", config.clip_norm},
                         {"log_every", config.log_every}};
  // A later key stands only where it is used, so that earlier records read as they did.
  if (config.gradient_accumulation > 1)
    json["gradient_accumulation"] = config.gradient_accumulation;
  return json;
}

double learning_rate(const TrainConfig& config, int64_t step, int64_t total) {
  const double peak = config.optimizer.lr;
  const double warmup = std::floor(config.warmup * static_cast<double>(total));
  const auto now = static_cast<double>(step + 1);
  if (now <= warmup) return peak * now / warmup;
  if (config.schedule == "constant") return peak;
  const double progress = (now - warmup) / std::max(1.0, static_cast<double>(total) - warmup);
  if (config.schedule == "linear") return peak * std::max(0.0, 1.0 - progress);
  return peak * 0.5 * (1.0 + std::cos(M_PI * std::min(1.0, progress)));
}

}  // namespace minibert

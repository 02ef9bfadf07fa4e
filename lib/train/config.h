// The training configuration of an arm: optimizer, schedule, epochs, early stopping. Plain data.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/config_reader.h"

namespace minibert {

struct OptimizerConfig {
  // adam (Kingma, Ba 2015) | adamw (Loshchilov, Hutter 2019) | muon (train/muon.h), with AdamW for
  // the other parameters
  std::string type = "adam";
  double lr = 5e-4;
  double muon_lr = 0.02;  // Muon's own, Jordan's; it rises and falls with `lr`
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-7;  // Keras' default, as the course trains
  double weight_decay = 0.0;
  // The weights that AdamW decays: matrices (two dimensions or more, neither biases nor LayerNorm,
  // as in BERT) or all (PyTorch's default for one group of parameters).
  std::string decay = "matrices";
  // Decays only weights that the update moves towards zero (Chen et al. 2025, arXiv 2510.12402).
  bool cautious_decay = false;
};

inline constexpr char kAboveZero[] = "above_zero";  // a value of TrainConfig::schedule_end

struct TrainConfig {
  int64_t epochs = 20;
  // Training ends after this many steps, whatever `epochs` says; 0: no limit.
  int64_t max_steps = 0;
  // Minutes of training, over all sittings; the step that reaches them is the last. 0: no limit.
  double max_minutes = 0;
  int64_t batch_size = 32;
  // A process computes its share of a batch in this many parts, one after the other: less memory,
  // the same step.
  int64_t gradient_accumulation = 1;
  int64_t patience = 0;          // epochs without a better `monitor` before stopping; 0: never stop
  std::string monitor = "none";  // the dev metric that picks the weights; none: the last weights
  // For `monitor`; follows from the task's measures and is no key of the file.
  bool lower_is_better = false;
  OptimizerConfig optimizer;
  // constant | linear | cosine (both fall) | trapezoid: constant until the last `cooldown` of all
  // steps, then falls linearly (Zhai et al. 2022; "WSD" of Hu et al. 2024)
  std::string schedule = "constant";
  // The last step's rate in a falling schedule: above zero, or zero (the last step then learns
  // nothing). Records without the key used zero.
  std::string schedule_end = "zero";
  double warmup = 0.0;    // share of all steps with a linearly rising rate
  double cooldown = 0.2;  // share that falls; Hägele et al. 2024: as good as a cosine
  // Share of training after which the weights of every step are averaged (Izmailov et al. 2018,
  // SWA; Kaddour 2022, LAWA). The mean is evaluated and stored; training goes on from the weights
  // themselves. 1: none. GPT-BERT and modded-nanogpt's records use an exponential mean of 1,000 and
  // 150 steps; a plain mean needs no such number, because its length follows the run's, and at
  // about 0.9 its age equals theirs.
  double average_from = 1.0;
  double clip_norm = 0.0;  // the largest joint norm of all gradients; 0: no clipping
  int64_t log_every = 20;  // a logged training metric averages this many steps
};

// Reads the keys that all tasks share. The caller reads its own keys, checks that the task has this
// `monitor`, and calls finish(). Throws a usage Error naming the key.
TrainConfig read_train_config(ConfigReader& reader);
nlohmann::json to_json(const TrainConfig& config);

// Returns the learning rate at `step` (from 0) of `total` steps: linear warm-up over warmup * total
// steps, then constant, linear, half a cosine (Loshchilov, Hutter 2017) or a trapezoid. A falling
// schedule reaches zero in the last step, with schedule_end above_zero one step later.
double learning_rate(const TrainConfig& config, int64_t step, int64_t total);
// Returns the same for training that ends by a budget, with an unknown number of steps: from the
// share of training (0 to 1) that is done `before` and `after` the step.
double learning_rate_at(const TrainConfig& config, double before, double after);

}  // namespace minibert

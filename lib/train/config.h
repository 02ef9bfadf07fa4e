// How an arm is trained: optimizer, schedule, epochs, early stopping. Configuration only.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/config_reader.h"

namespace minibert {

struct OptimizerConfig {
  // adam (Kingma, Ba 2015) | adamw (Loshchilov, Hutter 2019) | muon (train/muon.h), with AdamW for what it leaves
  std::string type = "adam";
  double lr = 5e-4;
  double muon_lr = 0.02;  // Muon's own, Jordan's; it rises and falls as `lr` does
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-7;  // Keras' default, as the course trains
  double weight_decay = 0.0;
  // The weights that AdamW decays: matrices (two dimensions or more, so neither biases nor
  // LayerNorm; as BERT does) or all (PyTorch's default for one group of parameters).
  std::string decay = "matrices";
  // Decays a weight only where the update does not move it away from zero (Chen et al. 2025, arXiv 2510.12402).
  bool cautious_decay = false;
};

inline constexpr char kAboveZero[] = "above_zero";  // of TrainConfig::schedule_end

struct TrainConfig {
  int64_t epochs = 20;
  int64_t max_steps = 0;  // training ends after so many, whatever `epochs` says; 0: no limit
  // Likewise with the step that reaches so many minutes of training in all sittings.
  double max_minutes = 0;
  int64_t batch_size = 32;
  // A process computes its share of a batch in so many parts, one after the other: less memory, the
  // same step.
  int64_t gradient_accumulation = 1;
  int64_t patience = 0;          // epochs without a better `monitor` before stopping; 0: never stop
  std::string monitor = "none";  // the dev metric that picks the weights; none: the last weights
  bool lower_is_better =
      false;  // of `monitor`; follows from the task's measures, no key of the file
  OptimizerConfig optimizer;
  // constant | linear | cosine, falling | trapezoid, constant until the last `cooldown` of all steps, in which it
  // falls linearly (Zhai et al. 2022; "WSD" of Hu et al. 2024)
  std::string schedule = "constant";
  // The rate that such a schedule comes to: above zero in the last step, or zero, in which the last step
  // learns nothing. Runs whose records do not say had zero.
  std::string schedule_end = "zero";
  double warmup = 0.0;    // share of all steps with a linearly rising rate
  double cooldown = 0.2;  // of a trapezoid; Hägele et al. 2024: as good as a cosine from there on
  // Share of training from which on the weights after every step are averaged (Izmailov et al. 2018, SWA; Kaddour
  // 2022, LAWA). The mean is what is evaluated and stored, while training goes on from the weights themselves. 1: none.
  // A plain mean, where GPT-BERT and modded-nanogpt's records have an exponential one of 1,000 and 150 steps: it needs
  // no such number, as its length follows the run's, and is as old as theirs with about 0.9.
  double average_from = 1.0;
  double clip_norm = 0.0;  // the largest joint norm of all gradients; 0: no clipping
  int64_t log_every = 20;  // a logged training metric averages so many steps
};

// Reads the keys that all tasks share; the caller reads its own, checks that the task has such a
// `monitor`, and calls finish(). Throws a usage Error naming the key.
TrainConfig read_train_config(ConfigReader& reader);
nlohmann::json to_json(const TrainConfig& config);

// Gives the learning rate at `step` (from 0) of `total` steps: linear warm-up over warmup * total
// steps, then constant, linear, half a cosine (Loshchilov, Hutter 2017) or a trapezoid. The latter three are at zero
// in the last step, or with schedule_end above_zero would be one step later.
double learning_rate(const TrainConfig& config, int64_t step, int64_t total);
// The same where training ends by a budget, whose steps nobody knows: by the share of all training that is done
// `before` the step and `after` it, 0 to 1.
double learning_rate_at(const TrainConfig& config, double before, double after);

}  // namespace minibert

// How an arm is trained: optimizer, schedule, epochs, early stopping. Configuration only.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/config_reader.h"

namespace minibert {

struct OptimizerConfig {
  std::string type = "adam";  // adam (Kingma, Ba 2015) | adamw (Loshchilov, Hutter 2019)
  double lr = 5e-4;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-7;  // Keras' default, as the course trains
  double weight_decay = 0.0;
};

// A stretch of epochs at one sequence length and batch size (pretraining).
struct TrainPhase {
  int64_t epochs = 1;
  int64_t n_seq = 128;
  int64_t batch_size = 64;
  // Of dynamic masks in these epochs: the share of masked pieces (0: what the instances say) and
  // the share of instances whose pieces are masked one by one, so that the model also meets a mask
  // beside the rest of its word ("[MASK]이다").
  double mask_probability = 0;
  double single_piece_share = 0;
};

struct TrainConfig {
  int64_t epochs = 20;
  int64_t batch_size = 32;
  int64_t patience = 0;          // epochs without a better `monitor` before stopping; 0: never stop
  std::string monitor = "none";  // the dev metric that picks the weights; none: the last weights
  OptimizerConfig optimizer;
  std::string schedule = "constant";  // constant | linear | cosine, to zero
  double warmup = 0.0;                // share of all steps with a linearly rising rate
  double clip_norm = 0.0;             // of all gradients together; 0: no clipping
  double nsp_weight = 1.0;            // of the sentence loss (pretraining)
  int64_t log_every = 20;             // steps a logged training metric averages
  std::vector<TrainPhase> phases;     // pretraining only; empty: one phase of `epochs`
};

// Throws a usage Error naming the key.
TrainConfig read_train_config(ConfigReader& reader);
nlohmann::json to_json(const TrainConfig& config);

// The learning rate at `step` (from 0) of `total` steps: linear warm-up over warmup * total steps,
// then constant, linear to zero, or half a cosine to zero (Loshchilov, Hutter 2017).
double learning_rate(const TrainConfig& config, int64_t step, int64_t total);

}  // namespace minibert

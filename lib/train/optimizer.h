// Adam and AdamW over named parameters. LibTorch 1.13's own loses the learning rate on loading and
// keys its archive by address; here the state is tensors under the parameters' names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "machine/torch.h"
#include "train/config.h"

namespace minibert {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

class Optimizer {
 public:
  // Updates exactly these parameters, in this order.
  Optimizer(NamedTensors parameters, const OptimizerConfig& config);

  // One update with bias correction for `step` (from 0); parameters without a gradient are skipped.
  // AdamW decays what OptimizerConfig::decay says.
  void step(double lr, int64_t step);
  void zero_grad();
  // The joint norm of all gradients, a float32 scalar on their device; undefined where there are none.
  torch::Tensor gradient_norm() const;
  // Scales all gradients so that their joint norm, which is `norm`, is at most max_norm (Pascanu et
  // al. 2013).
  void clip_gradients(double max_norm, const torch::Tensor& norm);

  // "adam_m/<parameter>" and "adam_v/<parameter>"; live tensors, not copies.
  NamedTensors state() const;

 private:
  NamedTensors parameters_;
  std::vector<torch::Tensor> first_, second_;
  OptimizerConfig config_;
};

}  // namespace minibert

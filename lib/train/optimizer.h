// Adam and AdamW over named parameters. LibTorch 1.13's own loses the learning rate on loading and
// keys its archive by address; here the state is tensors under the parameters' names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/torch.h"
#include "train/config.h"

namespace minibert {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

class Optimizer {
 public:
  // Updates exactly these parameters, in this order.
  Optimizer(NamedTensors parameters, const OptimizerConfig& config);

  // Makes one update with bias correction for `step` (from 0). Multiplies gradients by grad_factor
  // (a scalar; undefined: 1) and skips parameters without a gradient. AdamW decays the weights that
  // OptimizerConfig::decay names.
  void step(double lr, int64_t step, const torch::Tensor& grad_factor = {});
  void zero_grad();
  // Returns the joint norm of all gradients, a float32 scalar on their device; undefined without
  // any.
  torch::Tensor gradient_norm() const;
  // Returns the factor that brings gradients of this joint norm down to max_norm at most (Pascanu
  // et al. 2013): a scalar on the norm's device, undefined where the norm is.
  static torch::Tensor clip_factor(double max_norm, const torch::Tensor& norm);

  // "adam_m/<parameter>" and "adam_v/<parameter>"; live tensors, not copies.
  NamedTensors state() const;

 private:
  bool decays(const torch::Tensor& value) const;
  // Both make the same update: with ATen's operations, and with the CPU kernel.
  void step_with_aten(size_t parameter, double lr, double correction1, double correction2,
                      const torch::Tensor& grad_factor);
  void step_with_kernel(const std::vector<size_t>& parameters, double lr, double correction1,
                        double correction2, const torch::Tensor& grad_factor);

  NamedTensors parameters_;
  std::vector<torch::Tensor> first_, second_;
  OptimizerConfig config_;
};

}  // namespace minibert

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

  // One update with bias correction for `step` (from 0), of gradients times grad_factor (a scalar;
  // undefined: as they are); parameters without a gradient are skipped. AdamW decays what
  // OptimizerConfig::decay says.
  void step(double lr, int64_t step, const torch::Tensor& grad_factor = {});
  void zero_grad();
  // The joint norm of all gradients, a float32 scalar on their device; undefined where there are none.
  torch::Tensor gradient_norm() const;
  // What gradients of this joint norm are multiplied by, so that it is at most max_norm (Pascanu et
  // al. 2013): a scalar on the norm's device, undefined where the norm is.
  static torch::Tensor clip_factor(double max_norm, const torch::Tensor& norm);

  // "adam_m/<parameter>" and "adam_v/<parameter>"; live tensors, not copies.
  NamedTensors state() const;

 private:
  bool decays(const torch::Tensor& value) const;
  // The same update in ATen's operations, and by the CPU's kernel.
  void step_with_aten(size_t parameter, double lr, double correction1, double correction2,
                      const torch::Tensor& grad_factor);
  void step_with_kernel(const std::vector<size_t>& parameters, double lr, double correction1,
                        double correction2, const torch::Tensor& grad_factor);

  NamedTensors parameters_;
  std::vector<torch::Tensor> first_, second_;
  OptimizerConfig config_;
};

}  // namespace minibert

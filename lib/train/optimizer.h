// Adam and AdamW over named parameters, with Muon for matrices if configured. LibTorch 1.13's
// optimizers lose the learning rate on loading and key their archive by address; here the state is
// tensors under the parameters' names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/torch.h"
#include "train/config.h"
#include "train/muon.h"
#include "train/named_tensors.h"

namespace minibert {

class Optimizer {
 public:
  // Updates exactly these parameters, in this order. Throws a usage Error if Muon has no matrix.
  Optimizer(NamedTensors parameters, const OptimizerConfig& config);

  // Makes one update with bias correction for `step` (from 0). Multiplies gradients by grad_factor
  // (a scalar; undefined: 1) and skips parameters without a gradient. AdamW decays the weights that
  // OptimizerConfig::decay names. Muon uses lr's share of its own highest rate.
  void step(double lr, int64_t step, const torch::Tensor& grad_factor = {});
  void zero_grad();
  // Returns the joint norm of all gradients, a float32 scalar on their device; or undefined.
  torch::Tensor gradient_norm() const;
  // Returns the factor that reduces gradients of this joint norm to at most max_norm (Pascanu et
  // al. 2013): a scalar on the norm's device, undefined if the norm is.
  static torch::Tensor clip_factor(double max_norm, const torch::Tensor& norm);

  // "adam_m/<parameter>" and "adam_v/<parameter>", and Muon's; live tensors, not copies.
  NamedTensors state() const;
  // Floating-point operations in an update's matrix products; Adam has none.
  double flops() const { return muon_ ? muon_->flops() : 0; }

 private:
  // The numbers for one update of all parameters.
  struct Update {
    double lr, correction1, correction2;
    torch::Tensor grad_factor;
  };
  // A run of neighbouring parameters with gradients, and these gradients in one tensor, laid out
  // like the moments.
  struct Run {
    size_t begin = 0, end = 0;
    torch::Tensor grad;
  };
  // Takes Muon's matrices out of the parameters that Adam updates.
  void make_muon();
  bool decays(const torch::Tensor& value) const;
  std::vector<Run> runs() const;
  // Both make the same update: with the CPU kernel, and with ATen's operations on all parameters
  // together, because a device takes longer to start an operation than to finish a small one.
  void step_with_kernel(const Update& update);
  void step_with_aten(const Run& run, const Update& update);

  OptimizerConfig config_;
  NamedTensors parameters_;  // without Muon's
  std::optional<Muon> muon_;
  bool kernel_ = false;                        // the CPU kernel updates all
  std::vector<torch::Tensor> first_, second_;  // moments, in the order of parameters_
  // Without the kernel the moments are views of these; each parameter's offset, then the end.
  torch::Tensor all_first_, all_second_;
  std::vector<int64_t> offsets_{0};
};

}  // namespace minibert

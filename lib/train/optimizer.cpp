#include "train/optimizer.h"

#include <algorithm>
#include <cmath>

#include "train/adam_kernel.h"

namespace minibert {
namespace {

constexpr int64_t kPiece = 16384;  // elements that a thread takes at once

bool kernel_takes(const torch::Tensor& x) {
  return x.is_cpu() && x.scalar_type() == torch::kFloat32 && x.is_contiguous();
}

}  // namespace

Optimizer::Optimizer(NamedTensors parameters, const OptimizerConfig& config)
    : parameters_(std::move(parameters)), config_(config) {
  for (const auto& [name, value] : parameters_) {
    first_.push_back(torch::zeros_like(value));
    second_.push_back(torch::zeros_like(value));
  }
}

void Optimizer::zero_grad() {
  for (auto& [name, value] : parameters_) value.mutable_grad().reset();
}

torch::Tensor Optimizer::gradient_norm() const {
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> norms;
  for (const auto& [name, value] : parameters_)
    if (value.grad().defined()) norms.push_back(value.grad().norm());
  return norms.empty() ? torch::Tensor() : torch::stack(norms).norm();
}

torch::Tensor Optimizer::clip_factor(double max_norm, const torch::Tensor& norm) {
  // Stays on the device, so nothing waits for it.
  return norm.defined() ? (max_norm / (norm + 1e-6)).clamp_max(1.0) : torch::Tensor();
}

void Optimizer::step(double lr, int64_t step, const torch::Tensor& grad_factor) {
  torch::NoGradGuard no_grad;
  const double correction1 = 1.0 - std::pow(config_.beta1, static_cast<double>(step + 1));
  const double correction2 = 1.0 - std::pow(config_.beta2, static_cast<double>(step + 1));
  std::vector<size_t> of_kernel;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const torch::Tensor& value = parameters_[i].second;
    if (!value.grad().defined()) continue;
    if (kernel_takes(value) && kernel_takes(value.grad()))
      of_kernel.push_back(i);
    else
      step_with_aten(i, lr, correction1, correction2, grad_factor);
  }
  if (!of_kernel.empty()) step_with_kernel(of_kernel, lr, correction1, correction2, grad_factor);
}

bool Optimizer::decays(const torch::Tensor& value) const {
  return config_.type == "adamw" && config_.weight_decay > 0 &&
         (value.dim() >= 2 || config_.decay == "all");
}

void Optimizer::step_with_aten(size_t parameter, double lr, double correction1, double correction2,
                               const torch::Tensor& grad_factor) {
  torch::Tensor value = parameters_[parameter].second;
  torch::Tensor first = first_[parameter], second = second_[parameter];
  const torch::Tensor grad = grad_factor.defined() ? value.grad().mul(grad_factor) : value.grad();
  if (decays(value)) value.mul_(1.0 - lr * config_.weight_decay);
  first.lerp_(grad, 1.0 - config_.beta1);
  second.mul_(config_.beta2).addcmul_(grad, grad, 1.0 - config_.beta2);
  const auto scale = (second / correction2).sqrt_().add_(config_.eps);
  value.addcdiv_(first, scale, -lr / correction1);
}

void Optimizer::step_with_kernel(const std::vector<size_t>& parameters, double lr,
                                 double correction1, double correction2,
                                 const torch::Tensor& grad_factor) {
  kernels::AdamRule rule{.first_rest = static_cast<float>(1.0 - config_.beta1),
                         .beta2 = static_cast<float>(config_.beta2),
                         .second_rest = static_cast<float>(1.0 - config_.beta2),
                         .correction2 = static_cast<float>(correction2),
                         .eps = static_cast<float>(config_.eps),
                         .rate = static_cast<float>(-lr / correction1)};
  if (grad_factor.defined()) rule.clip = grad_factor.item<float>();
  const auto decayed = static_cast<float>(1.0 - lr * config_.weight_decay);
  // All parameters in one parallel loop: most are too small for one of their own.
  struct Piece {
    size_t parameter;
    int64_t begin;
  };
  std::vector<Piece> pieces;
  for (const size_t i : parameters)
    for (int64_t begin = 0; begin < first_[i].numel(); begin += kPiece)
      pieces.push_back({i, begin});
  at::parallel_for(0, static_cast<int64_t>(pieces.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const auto [i, at] = pieces[static_cast<size_t>(p)];
      const torch::Tensor& value = parameters_[i].second;
      kernels::AdamRule own = rule;
      if (decays(value)) own.keep = decayed;
      kernels::adam(own, value.grad().data_ptr<float>() + at, value.data_ptr<float>() + at,
                    first_[i].data_ptr<float>() + at, second_[i].data_ptr<float>() + at,
                    std::min(kPiece, first_[i].numel() - at));
    }
  });
}

NamedTensors Optimizer::state() const {
  NamedTensors out;
  for (size_t i = 0; i < parameters_.size(); ++i)
    out.emplace_back("adam_m/" + parameters_[i].first, first_[i]);
  for (size_t i = 0; i < parameters_.size(); ++i)
    out.emplace_back("adam_v/" + parameters_[i].first, second_[i]);
  return out;
}

}  // namespace minibert

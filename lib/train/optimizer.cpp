#include "train/optimizer.h"

#include <cmath>

namespace minibert {

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

void Optimizer::clip_gradients(double max_norm, const torch::Tensor& norm) {
  if (!norm.defined()) return;
  // Stays on the device: the factor is a tensor, so nothing waits for it.
  const auto factor = (max_norm / (norm + 1e-6)).clamp_max(1.0);
  for (const auto& [name, value] : parameters_)
    if (value.grad().defined()) value.mutable_grad().mul_(factor);
}

void Optimizer::step(double lr, int64_t step) {
  torch::NoGradGuard no_grad;
  const double correction1 = 1.0 - std::pow(config_.beta1, static_cast<double>(step + 1));
  const double correction2 = 1.0 - std::pow(config_.beta2, static_cast<double>(step + 1));
  for (size_t i = 0; i < parameters_.size(); ++i) {
    torch::Tensor value = parameters_[i].second;
    const torch::Tensor& grad = value.grad();
    if (!grad.defined()) continue;
    if (config_.type == "adamw" && config_.weight_decay > 0 &&
        (value.dim() >= 2 || config_.decay == "all"))
      value.mul_(1.0 - lr * config_.weight_decay);
    first_[i].lerp_(grad, 1.0 - config_.beta1);
    second_[i].mul_(config_.beta2).addcmul_(grad, grad, 1.0 - config_.beta2);
    const auto scale = (second_[i] / correction2).sqrt_().add_(config_.eps);
    value.addcdiv_(first_[i], scale, -lr / correction1);
  }
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

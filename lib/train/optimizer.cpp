#include "train/optimizer.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "train/adam_kernel.h"

namespace minibert {
namespace {

constexpr int64_t kPiece = 16384;  // elements that a thread takes at once

bool kernel_takes(const torch::Tensor& x) {
  return x.is_cpu() && x.scalar_type() == torch::kFloat32 && x.is_contiguous();
}

}  // namespace

Optimizer::Optimizer(NamedTensors parameters, const OptimizerConfig& config)
    : config_(config), parameters_(std::move(parameters)) {
  kernel_ = std::all_of(parameters_.begin(), parameters_.end(),
                        [](const auto& one) { return kernel_takes(one.second); });
  if (config_.type == "muon") make_muon();
  if (kernel_) {
    for (const auto& [name, value] : parameters_) {
      first_.push_back(torch::zeros_like(value));
      second_.push_back(torch::zeros_like(value));
    }
    return;
  }
  for (const auto& [name, value] : parameters_) offsets_.push_back(offsets_.back() + value.numel());
  all_first_ = torch::zeros({offsets_.back()}, parameters_.front().second.options());
  all_second_ = torch::zeros_like(all_first_);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const auto own = [&](const torch::Tensor& all) {
      return all.slice(0, offsets_[i], offsets_[i + 1]).view(parameters_[i].second.sizes());
    };
    first_.push_back(own(all_first_));
    second_.push_back(own(all_second_));
  }
}

void Optimizer::make_muon() {
  const auto rest = std::stable_partition(
      parameters_.begin(), parameters_.end(),
      [](const auto& one) { return !is_hidden_matrix(one.first, one.second); });
  if (rest == parameters_.end())
    throw usage_error(
        "train.optimizer.type: found \"muon\" for a model without matrices of layers, expected "
        "adam or adamw");
  muon_.emplace(NamedTensors(rest, parameters_.end()), config_);
  parameters_.erase(rest, parameters_.end());
}

void Optimizer::zero_grad() {
  for (auto& [name, value] : parameters_) value.mutable_grad().reset();
  if (muon_)
    for (const auto& [name, value] : muon_->matrices()) value.mutable_grad().reset();
}

torch::Tensor Optimizer::gradient_norm() const {
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> norms;
  if (kernel_) {
    for (const auto& [name, value] : parameters_)
      if (value.grad().defined()) norms.push_back(value.grad().norm());
  } else {
    for (const Run& run : runs()) norms.push_back(run.grad.norm());
  }
  std::vector<torch::Tensor> matrices;  // on a device one norm of all
  if (muon_)
    for (const auto& [name, value] : muon_->matrices())
      if (value.grad().defined())
        (kernel_ ? norms : matrices)
            .push_back(kernel_ ? value.grad().norm() : value.grad().reshape(-1));
  if (!matrices.empty()) norms.push_back(torch::cat(matrices).norm());
  if (!kernel_ && norms.size() == 1) return norms.front();
  return norms.empty() ? torch::Tensor() : torch::stack(norms).norm();
}

torch::Tensor Optimizer::clip_factor(double max_norm, const torch::Tensor& norm) {
  // Stays on the device, so nothing waits for it.
  return norm.defined() ? (max_norm / (norm + 1e-6)).clamp_max(1.0) : torch::Tensor();
}

void Optimizer::step(double lr, int64_t step, const torch::Tensor& grad_factor) {
  torch::NoGradGuard no_grad;
  const Update update{lr, 1.0 - std::pow(config_.beta1, static_cast<double>(step + 1)),
                      1.0 - std::pow(config_.beta2, static_cast<double>(step + 1)), grad_factor};
  if (kernel_)
    step_with_kernel(update);
  else
    for (const Run& run : runs()) step_with_aten(run, update);
  if (muon_) muon_->step(config_.lr > 0 ? config_.muon_lr * (lr / config_.lr) : 0, grad_factor);
}

bool Optimizer::decays(const torch::Tensor& value) const {
  return config_.type != "adam" && config_.weight_decay > 0 &&
         (value.dim() >= 2 || config_.decay == "all");
}

std::vector<Optimizer::Run> Optimizer::runs() const {
  std::vector<Run> out;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (!parameters_[i].second.grad().defined()) continue;
    if (out.empty() || out.back().end < i) out.push_back({i, i, {}});
    out.back().end = i + 1;
  }
  for (Run& run : out) {
    std::vector<torch::Tensor> flat;
    for (size_t i = run.begin; i < run.end; ++i)
      flat.push_back(parameters_[i].second.grad().reshape(-1));
    run.grad = torch::cat(flat);
  }
  return out;
}

void Optimizer::step_with_aten(const Run& run, const Update& update) {
  const torch::Tensor grad =
      update.grad_factor.defined() ? run.grad.mul(update.grad_factor) : run.grad;
  torch::Tensor first = all_first_.slice(0, offsets_[run.begin], offsets_[run.end]);
  torch::Tensor second = all_second_.slice(0, offsets_[run.begin], offsets_[run.end]);
  first.lerp_(grad, 1.0 - config_.beta1);
  second.mul_(config_.beta2).addcmul_(grad, grad, 1.0 - config_.beta2);
  const torch::Tensor scale = (second / update.correction2).sqrt_().add_(config_.eps);
  const torch::Tensor along = first / scale;
  std::vector<torch::Tensor> decayed, values, steps;
  for (size_t i = run.begin; i < run.end; ++i) {
    torch::Tensor value = parameters_[i].second;
    values.push_back(value);
    steps.push_back(
        along.slice(0, offsets_[i] - offsets_[run.begin], offsets_[i + 1] - offsets_[run.begin])
            .view(value.sizes()));
    if (!decays(value)) continue;
    if (config_.cautious_decay)
      decay_cautiously(value, steps.back(), 1.0 - update.lr * config_.weight_decay);
    else
      decayed.push_back(value);
  }
  if (!decayed.empty()) at::_foreach_mul_(decayed, 1.0 - update.lr * config_.weight_decay);
  at::_foreach_add_(values, steps, -update.lr / update.correction1);
}

void Optimizer::step_with_kernel(const Update& update) {
  kernels::AdamRule rule{.first_rest = static_cast<float>(1.0 - config_.beta1),
                         .beta2 = static_cast<float>(config_.beta2),
                         .second_rest = static_cast<float>(1.0 - config_.beta2),
                         .correction2 = static_cast<float>(update.correction2),
                         .eps = static_cast<float>(config_.eps),
                         .rate = static_cast<float>(-update.lr / update.correction1)};
  if (update.grad_factor.defined()) rule.clip = update.grad_factor.item<float>();
  const auto decayed = static_cast<float>(1.0 - update.lr * config_.weight_decay);
  // All parameters in one parallel loop: most are too small for one of their own.
  struct Piece {
    size_t parameter;
    int64_t begin;
  };
  std::vector<Piece> pieces;
  std::vector<torch::Tensor> grads(parameters_.size());
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (!parameters_[i].second.grad().defined()) continue;
    grads[i] = parameters_[i].second.grad().contiguous();
    for (int64_t begin = 0; begin < first_[i].numel(); begin += kPiece)
      pieces.push_back({i, begin});
  }
  at::parallel_for(0, static_cast<int64_t>(pieces.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const auto [i, at] = pieces[static_cast<size_t>(p)];
      const torch::Tensor& value = parameters_[i].second;
      kernels::AdamRule own = rule;
      if (decays(value)) own.keep = decayed, own.cautious = config_.cautious_decay;
      kernels::adam(own, grads[i].data_ptr<float>() + at, value.data_ptr<float>() + at,
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
  if (muon_)
    for (const auto& one : muon_->state()) out.push_back(one);
  return out;
}

}  // namespace minibert

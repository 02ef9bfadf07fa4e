#include "train/muon.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace minibert {
namespace {

constexpr double kMomentum = 0.95;
constexpr int kIterations = 5;
constexpr double kOnce = 3.4445, kCubed = -4.7750,
                 kFifth = 2.0315;  // of the iteration's polynomial

// The matrices that one product computes together.
int64_t parts_of(const std::string& name) { return name.ends_with(".qkv.weight") ? 3 : 1; }

// The factor for an orthogonal update of a matrix.
double scale_of(int64_t rows, int64_t columns) {
  return std::sqrt(std::max(1.0, static_cast<double>(rows) / static_cast<double>(columns)));
}

}  // namespace

bool is_hidden_matrix(const std::string& name, const torch::Tensor& value) {
  return value.dim() == 2 && name.find("layers.") != std::string::npos && name.ends_with(".weight");
}

torch::Tensor orthogonalized(const torch::Tensor& matrix) {
  const bool tall = matrix.size(0) > matrix.size(1);
  torch::Tensor x = tall ? matrix.t() : matrix;
  x = x / (x.norm() + 1e-7);
  for (int i = 0; i < kIterations; ++i) {
    const torch::Tensor square = at::mm(x, x.t());
    x = at::addmm(x, at::addmm(square, square, square, kCubed, kFifth), x, kOnce, 1);
  }
  return tall ? x.t() : x;
}

void decay_cautiously(torch::Tensor weight, const torch::Tensor& along, double keep) {
  weight.mul_(along.mul(weight).ge(0).to(weight.scalar_type()).mul_(keep - 1).add_(1));
}

torch::Tensor all_orthogonalized(const torch::Tensor& matrices) {
  const bool tall = matrices.size(1) > matrices.size(2);
  torch::Tensor x = tall ? matrices.transpose(1, 2) : matrices;
  x = x / (x.flatten(1).norm(2, {1}).view({-1, 1, 1}) + 1e-7);
  for (int i = 0; i < kIterations; ++i) {
    const torch::Tensor square = at::bmm(x, x.transpose(1, 2));
    x = at::baddbmm(x, at::baddbmm(square, square, square, kCubed, kFifth), x, kOnce, 1);
  }
  return tall ? x.transpose(1, 2) : x;
}

Muon::Muon(NamedTensors matrices, const OptimizerConfig& config)
    : matrices_(std::move(matrices)), config_(config) {
  int64_t count = 0;
  for (const auto& [name, value] : matrices_) count += value.numel();
  all_momentum_ = torch::zeros({count}, matrices_.front().second.options().requires_grad(false));
  for (int64_t at = 0; const auto& [name, value] : matrices_) {
    momentum_.push_back(all_momentum_.slice(0, at, at + value.numel()).view(value.sizes()));
    at += value.numel();
  }
}

void Muon::step(double rate, const torch::Tensor& grad_factor) {
  const auto update_some = [&](int64_t begin, int64_t end) {
    torch::NoGradGuard no_grad;  // of this thread
    for (int64_t i = begin; i < end; ++i) update(static_cast<size_t>(i), rate, grad_factor);
  };
  const auto count = static_cast<int64_t>(matrices_.size());
  // Each matrix on one thread: its products have the same bits for any number of threads.
  const bool all =
      std::ranges::all_of(matrices_, [](const auto& one) { return one.second.grad().defined(); });
  if (matrices_.front().second.is_cpu())
    at::parallel_for(0, count, 1, update_some);
  else if (all)
    update_all(rate, grad_factor);
  else
    update_some(0, count);
}

// Does the work of update() for all in a fifth of the operations: matrices of one shape are made
// orthogonal together.
void Muon::update_all(double rate, const torch::Tensor& grad_factor) {
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> flat;
  for (const auto& [name, value] : matrices_) flat.push_back(value.grad().reshape(-1));
  torch::Tensor grad = torch::cat(flat);
  if (grad_factor.defined()) grad.mul_(grad_factor);
  all_momentum_.lerp_(grad, 1 - kMomentum);
  const torch::Tensor ahead = grad.lerp(all_momentum_, kMomentum);  // Nesterov's
  struct Alike {
    std::vector<torch::Tensor> weights, updates;
  };
  std::map<std::pair<int64_t, int64_t>, Alike> by_shape;
  for (int64_t at = 0; const auto& [name, value] : matrices_) {
    const int64_t parts = parts_of(name);
    const auto updates = ahead.slice(0, at, at + value.numel()).view(value.sizes()).chunk(parts);
    const auto weights = value.detach().chunk(parts);
    Alike& alike = by_shape[{updates[0].size(0), updates[0].size(1)}];
    alike.weights.insert(alike.weights.end(), weights.begin(), weights.end());
    alike.updates.insert(alike.updates.end(), updates.begin(), updates.end());
    at += value.numel();
  }
  const double keep = 1 - rate * config_.weight_decay;
  for (auto& [size, alike] : by_shape) {
    const torch::Tensor along =
        all_orthogonalized(torch::stack(alike.updates)) * scale_of(size.first, size.second);
    const auto each = along.unbind(0);
    if (config_.cautious_decay)
      for (size_t i = 0; i < each.size(); ++i) decay_cautiously(alike.weights[i], each[i], keep);
    else if (keep != 1)
      at::_foreach_mul_(alike.weights, keep);
    at::_foreach_add_(alike.weights, each, -rate);
  }
}

void Muon::update(size_t index, double rate, const torch::Tensor& grad_factor) {
  const auto& [name, value] = matrices_[index];
  if (!value.grad().defined()) return;
  const torch::Tensor grad = grad_factor.defined() ? value.grad() * grad_factor : value.grad();
  momentum_[index].lerp_(grad, 1 - kMomentum);
  const torch::Tensor ahead = grad.lerp(momentum_[index], kMomentum);  // Nesterov's
  std::vector<torch::Tensor> parts;
  for (const torch::Tensor& part : ahead.chunk(parts_of(name))) {
    parts.push_back(orthogonalized(part) * scale_of(part.size(0), part.size(1)));
  }
  const torch::Tensor along = torch::cat(parts);
  const double keep = 1 - rate * config_.weight_decay;
  torch::Tensor weight = value;
  if (config_.cautious_decay)
    decay_cautiously(weight, along, keep);
  else if (keep != 1)
    weight.mul_(keep);
  weight.sub_(along, rate);
}

NamedTensors Muon::state() const {
  NamedTensors out;
  for (size_t i = 0; i < matrices_.size(); ++i)
    out.emplace_back("muon_m/" + matrices_[i].first, momentum_[i]);
  return out;
}

double Muon::flops() const {
  double out = 0;
  for (const auto& [name, value] : matrices_) {
    const int64_t parts = parts_of(name);
    const auto rows = static_cast<double>(value.size(0) / parts);
    const auto columns = static_cast<double>(value.size(1));
    const double least = std::min(rows, columns), most = std::max(rows, columns);
    out += static_cast<double>(parts * kIterations) * 2 * least * least * (2 * most + least);
  }
  return out;
}

}  // namespace minibert

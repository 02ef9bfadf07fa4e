#include "model/ops/weight_casts.h"

#include <algorithm>

#include "model/ops/cpu_values.h"
#include "model/ops/device_forms.h"

namespace minibert {
namespace {

thread_local const WeightCasts* current = nullptr;

}  // namespace

WeightCasts::WeightCasts(const std::vector<torch::Tensor>& weights, torch::ScalarType type)
    : type_(type), before_(current) {
  current = this;
  if (weights.empty() || weights.front().scalar_type() == type || has_cpu_kernels(weights.front()))
    return;
  // Weights whose sizes are multiples of kAligned come first, so that they all begin where a
  // device's fastest products and norms need them: one odd bias in between would halve the speed of
  // all later layers.
  std::vector<torch::Tensor> in_order = weights;
  std::stable_partition(in_order.begin(), in_order.end(),
                        [](const torch::Tensor& weight) { return weight.numel() % kAligned == 0; });
  std::vector<torch::Tensor> flat;
  std::vector<int64_t> sizes;
  for (const torch::Tensor& weight : in_order) {
    flat.push_back(weight.reshape(-1));
    sizes.push_back(weight.numel());
  }
  const std::vector<torch::Tensor> parts = torch::cat(flat).to(type).split_with_sizes(sizes);
  for (size_t i = 0; i < in_order.size(); ++i)
    cast_[in_order[i].unsafeGetTensorImpl()] = parts[i].view(in_order[i].sizes());
}

WeightCasts::~WeightCasts() { current = before_; }

torch::Tensor in_type(const torch::Tensor& weight, torch::ScalarType type) {
  if (!weight.defined() || weight.scalar_type() == type) return weight;
  if (current != nullptr && current->type_ == type)
    if (const auto found = current->cast_.find(weight.unsafeGetTensorImpl());
        found != current->cast_.end())
      return found->second;
  return weight.to(type);
}

}  // namespace minibert

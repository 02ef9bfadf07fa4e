// Casts all weights to the type of the matrix products at once: on a device, starting an operation
// takes longer than casting one weight.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/torch.h"

namespace minibert {

// While an object lives, in_type finds these weights already cast; the thread's newest object
// counts. Casts nothing for the CPU's kernels, which cast themselves, or if the type is right.
class WeightCasts {
 public:
  // The weights are on one device and of one type.
  WeightCasts(const std::vector<torch::Tensor>& weights, torch::ScalarType type);
  ~WeightCasts();
  WeightCasts(const WeightCasts&) = delete;
  WeightCasts& operator=(const WeightCasts&) = delete;

 private:
  friend torch::Tensor in_type(const torch::Tensor& weight, torch::ScalarType type);
  torch::ScalarType type_;
  std::unordered_map<const c10::TensorImpl*, torch::Tensor> cast_;
  const WeightCasts* before_;
};

// Returns the weight in this type; gradients reach the weight in its own type. Undefined for an
// undefined weight.
torch::Tensor in_type(const torch::Tensor& weight, torch::ScalarType type);

}  // namespace minibert

// Weights in the type of the matrix products, cast together: a device waits longer for an operation to begin
// than for the cast of one weight to end.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/torch.h"

namespace minibert {

// While an object lives, in_type finds these weights cast already; of several objects in a thread the
// last one counts. Casts nothing where the CPU's kernels compute, which cast as they go, and where
// the weights have the type.
class WeightCasts {
 public:
  // All on one device and of one type.
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

// Returns the weight in this type; gradients go back to the weight in its own. Undefined where the weight is.
torch::Tensor in_type(const torch::Tensor& weight, torch::ScalarType type);

}  // namespace minibert

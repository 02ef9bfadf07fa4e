// Small parts of the encoders' modules.
#pragma once

#include <memory>
#include <string>

#include "core/torch.h"
#include "model/ops/linear.h"

namespace minibert {

inline torch::nn::LayerNorm torch_layer_norm(int64_t size, double eps) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({size}).eps(eps));
}

inline torch::Tensor project(const torch::nn::Linear& layer, const torch::Tensor& x,
                             torch::ScalarType type) {
  return linear(x, layer->weight, layer->bias, type);
}

// Returns the child module of that name, creating it if needed. Parameters get dotted names this
// way, which torch::nn::Module itself does not allow.
inline torch::nn::Module& group(torch::nn::Module& parent, const std::string& name) {
  for (const auto& child : parent.named_children())
    if (child.key() == name) return *child.value();
  return *parent.register_module(name, std::make_shared<torch::nn::Module>(name));
}

}  // namespace minibert

// The function between two dense layers, by its name in a configuration.
#pragma once

#include <string>

#include "core/torch.h"

namespace minibert {

// gelu_tanh: GELU in the tanh form (gelu.h); gelu: x times the normal distribution's share below x
// (by erf; Hendrycks, Gimpel 2016), as BERT and PyTorch compute it; relu: max(x, 0).
enum class Activation { gelu_tanh, gelu, relu };
Activation activation_named(const std::string& name);  // one of the three

// x: any shape, float32 or bfloat16; differentiable.
torch::Tensor activate(const torch::Tensor& x, Activation activation);

}  // namespace minibert

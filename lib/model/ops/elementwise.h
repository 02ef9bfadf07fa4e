// Operations on one value at a time: activations and gates. Each takes float32 or bfloat16 on CPU
// or CUDA, is differentiable and saves only its inputs.
#pragma once

#include <string>

#include "core/torch.h"

namespace minibert {

// GELU in the tanh form (Hendrycks, Gimpel 2016), which the course uses: x / (1 + exp(-2u)), u =
// sqrt(2/pi) (x + 0.044715 x^3); equals x/2 (1 + tanh(u)). x: any shape. On the CPU in bfloat16,
// LibTorch 1.13 calls a scalar tanh for each value, a third of a small BERT's training step.
torch::Tensor tanh_gelu(const torch::Tensor& x);

// The function between two dense layers, by its name in a configuration. gelu_tanh: tanh_gelu;
// gelu: x times the normal distribution below x (erf), as in BERT and PyTorch; relu: max(x, 0).
enum class Activation { gelu_tanh, gelu, relu };
Activation activation_named(const std::string& name);  // one of the three

// x: any shape.
torch::Tensor activate(const torch::Tensor& x, Activation activation);

// Gated GELU (Shazeer 2020, arXiv 2002.05202). x [..., 2F]: tanh_gelu of the first half times the
// second -> [..., F] in x's type.
torch::Tensor geglu(const torch::Tensor& x);

// Gates the output of each attention head (Qiu et al. 2025, arXiv 2505.06708, one value a head):
// context [..., D], the heads side by side, times sigmoid(gate [..., H]) of its head, both of one
// type -> [..., D].
torch::Tensor gate_heads(const torch::Tensor& context, const torch::Tensor& gate);

}  // namespace minibert

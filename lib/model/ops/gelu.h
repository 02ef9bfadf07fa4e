// GELU in the tanh form (Hendrycks, Gimpel 2016), which the course uses. LibTorch 1.13 computes it
// on the CPU one scalar tanh at a time in bfloat16: a third of a small BERT's whole training step.
#pragma once

#include "core/torch.h"

namespace minibert {

// x / (1 + exp(-2u)), u = sqrt(2/pi) (x + 0.044715 x^3), which equals x/2 (1 + tanh(u)).
// x: any shape, float32 or bfloat16, CPU or CUDA; differentiable. Saves its input alone.
torch::Tensor tanh_gelu(const torch::Tensor& x);

}  // namespace minibert

// Dropout, residual sum and LayerNorm (Ba et al. 2016) as one step.
#pragma once

#include "core/torch.h"

namespace minibert {

struct ResidualNorm {
  torch::Tensor y;    // LayerNorm(sum)
  torch::Tensor sum;  // x + dropout(branch)
};

// x and branch [..., D] of one type (float32 or bfloat16), gamma and beta [D] float32; statistics
// in float32, outputs in x's type (a device rounds gamma and beta to it). An undefined branch gives
// LayerNorm(x), with sum = x. p and key: as in keyed_dropout, on the branch alone. Gradients of
// gamma and beta are summed in an order that does not depend on the number of threads.
ResidualNorm residual_norm(const torch::Tensor& x, const torch::Tensor& branch,
                           const torch::nn::LayerNorm& norm, double p, uint64_t key);
torch::Tensor layer_norm(const torch::Tensor& x, const torch::nn::LayerNorm& norm);

}  // namespace minibert

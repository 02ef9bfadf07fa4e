// Linear layers with float32 weights whose products run in a smaller type.
#pragma once

#include "core/torch.h"

namespace minibert {

// x [..., K] times weight_NK transposed, plus bias_N if defined -> [..., N], all in `type` (float32
// or bfloat16). On the CPU the weight is cast once for both passes, and the bias' gradient is
// summed in float32 in an order that does not depend on the number of threads.
torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias,
                     torch::ScalarType type);

// The gradient of a bias: x_RN -> [N], the sum of its rows in float32; on the CPU in an order that
// does not depend on the number of threads.
torch::Tensor column_sums(const torch::Tensor& x);

}  // namespace minibert

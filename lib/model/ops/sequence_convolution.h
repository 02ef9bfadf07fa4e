// Depthwise convolution over positions: every channel mixes its own neighbours.
#pragma once

#include "core/torch.h"

namespace minibert {

// x_BSC, float32 or bfloat16; weight_KC float32, K odd: y[s] = sum over k of weight[k] * x[s + k -
// K / 2]. bias_BS (float32) is negative at padding; padding and positions outside the row count as
// 0. Returns [B, S, C] in x's type. The weight's gradient is summed in float32, in an order that
// does not depend on the number of threads.
torch::Tensor sequence_convolution(const torch::Tensor& x, const torch::Tensor& weight,
                                   const torch::Tensor& bias);

}  // namespace minibert

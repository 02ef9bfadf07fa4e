// A gate on what each attention head gives (Qiu et al. 2025, arXiv 2505.06708, one value a head).
#pragma once

#include "core/torch.h"

namespace minibert {

// context [..., D], the heads side by side, times sigmoid(gate [..., H]) of its head, both of one
// type (float32 or bfloat16) -> [..., D].
torch::Tensor gate_heads(const torch::Tensor& context, const torch::Tensor& gate);

}  // namespace minibert

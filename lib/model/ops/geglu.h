// GELU with a gate (Shazeer 2020, arXiv 2002.05202), in the tanh form of gelu.h.
#pragma once

#include "core/torch.h"

namespace minibert {

// x [..., 2F], float32 or bfloat16: gelu of the first half times the second -> [..., F] in x's
// type. Saves its input alone.
torch::Tensor geglu(const torch::Tensor& x);

}  // namespace minibert

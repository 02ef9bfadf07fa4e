// The gradient of a bias.
#pragma once

#include "core/torch.h"

namespace minibert {

// x_RN -> [N], the sum of its rows in float32. On the CPU in an order that does not depend on the
// number of threads.
torch::Tensor column_sums(const torch::Tensor& x);

}  // namespace minibert

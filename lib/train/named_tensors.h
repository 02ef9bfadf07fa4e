// Parameters, or what goes with them, by their names and in an order.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/torch.h"

namespace minibert {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

}  // namespace minibert

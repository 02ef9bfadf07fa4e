// An ordered list of tensors with names, such as parameters.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/torch.h"

namespace minibert {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

}  // namespace minibert

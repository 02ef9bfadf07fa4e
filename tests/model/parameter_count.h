// Counts a model's parameters.
#pragma once

#include <string>

#include "core/torch.h"

namespace minibert {

// Counts parameters whose names begin with `prefix`.
inline int64_t count(const torch::nn::Module& module, const std::string& prefix = "") {
  int64_t total = 0;
  for (const auto& item : module.named_parameters())
    if (item.key().starts_with(prefix)) total += item.value().numel();
  return total;
}

}  // namespace minibert

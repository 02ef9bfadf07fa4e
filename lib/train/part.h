// Batches in parts: over the steps of gradient accumulation and over the processes of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "core/torch.h"

namespace minibert {

// One of `count` parts of a batch.
struct Part {
  int64_t index = 0, count = 1;
};

// The part's examples of a batch's: number index, index + count, … so that the long and the short ones
// of a batch sorted by length are spread evenly. The later parts of a small batch may be empty.
inline std::vector<uint32_t> examples_of(const std::vector<uint32_t>& batch, Part part) {
  std::vector<uint32_t> out;
  for (auto i = static_cast<size_t>(part.index); i < batch.size();
       i += static_cast<size_t>(part.count))
    out.push_back(batch[i]);
  return out;
}

// A mean over `own` things of a part as what it adds to the mean over the `all` of the whole batch.
// Where the part is all of it, the mean itself.
inline torch::Tensor share_of(const torch::Tensor& mean, int64_t own, int64_t all) {
  if (own == all) return mean;
  return mean * (static_cast<double>(own) / static_cast<double>(all));
}

}  // namespace minibert

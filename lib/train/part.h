// Splits batches into parts for gradient accumulation and for the processes of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "core/torch.h"

namespace minibert {

struct Part {
  int64_t index = 0, count = 1;
};

// Selects the part's examples from a batch: numbers index, index + count, …, so that every part of
// a batch sorted by length has long and short ones. The later parts of a small batch may be empty.
inline std::vector<uint32_t> examples_of(const std::vector<uint32_t>& batch, Part part) {
  std::vector<uint32_t> out;
  for (auto i = static_cast<size_t>(part.index); i < batch.size();
       i += static_cast<size_t>(part.count))
    out.push_back(batch[i]);
  return out;
}

// Scales a part's mean over `own` items so that the parts add up to the mean over the batch's `all`
// items. Returns the mean itself if the part is the whole batch.
inline torch::Tensor share_of(const torch::Tensor& mean, int64_t own, int64_t all) {
  if (own == all) return mean;
  return mean * (static_cast<double>(own) / static_cast<double>(all));
}

}  // namespace minibert

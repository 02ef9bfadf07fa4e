// Pads rows of pieces to one batch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/torch.h"
#include "train/trainer.h"

namespace minibert {

// Writes the rows `ids` and `segments` into batch->ids and batch->segments, [B, longest] int64,
// padded with 0, and counts examples and tokens.
inline void pad_rows(const std::vector<std::vector<int32_t>>& ids,
                     const std::vector<std::vector<uint8_t>>& segments, Batch* batch) {
  size_t longest = 0;
  for (const auto& row : ids) longest = std::max(longest, row.size());
  const auto shape = {static_cast<int64_t>(ids.size()), static_cast<int64_t>(longest)};
  batch->ids = torch::zeros(shape, torch::kInt64);
  batch->segments = torch::zeros(shape, torch::kInt64);
  for (size_t i = 0; i < ids.size(); ++i) {
    std::copy(ids[i].begin(), ids[i].end(), batch->ids.data_ptr<int64_t>() + i * longest);
    std::copy(segments[i].begin(), segments[i].end(),
              batch->segments.data_ptr<int64_t>() + i * longest);
    batch->tokens += static_cast<int64_t>(ids[i].size());
  }
  batch->examples = static_cast<int64_t>(ids.size());
}

inline torch::Tensor int64_tensor(const std::vector<int64_t>& values) {
  return torch::tensor(values, torch::kInt64);
}

}  // namespace minibert

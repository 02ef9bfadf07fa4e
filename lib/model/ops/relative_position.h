// What attention adds to a score for how far the key is from the query, one learned value a head
// and bucket.
#pragma once

#include "core/torch.h"
#include "rules/relative_bucket.h"

namespace minibert {

// table [H, kRelativeBuckets] -> [H, 2 * length - 1], the value of offset o at length - 1 + o.
torch::Tensor relative_offsets(const torch::Tensor& table, int64_t length);

// [H, 2 * length - 1] float32: 0 for keys at or before the query, a large negative number for those
// after it, so that attention reads from left to right.
torch::Tensor causal_offsets(int64_t heads, int64_t length, torch::Device device);

}  // namespace minibert

// What attention adds to a score for how far the key is from the query, one learned value a head
// and bucket (T5: Raffel et al. 2020, section 2.1; both directions).
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace minibert {

inline constexpr int64_t kRelativeBuckets = 32;

// The bucket of key position - query position: 0 to 15 for keys at or before the query, 16 to 31
// after it; distances below 8 have one each, those up to 128 share the rest in a geometric row, the
// last one takes all beyond.
int64_t relative_bucket(int64_t offset);

// table [H, kRelativeBuckets] -> [H, 2 * length - 1], the value of offset o at length - 1 + o.
torch::Tensor relative_offsets(const torch::Tensor& table, int64_t length);

// [H, 2 * length - 1] float32: 0 for keys at or before the query, a large negative number for those
// after it, so that attention reads from left to right.
torch::Tensor causal_offsets(int64_t heads, int64_t length, torch::Device device);

}  // namespace minibert

// Scaled dot-product attention of one sentence, head by head, in blocks of rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/engine/weights.h"

namespace minibert::infer {

// Working memory for sentences of up to a length. Not thread-safe.
class Attention {
 public:
  Attention(int32_t d_model, int32_t n_heads);

  // Makes room for `length` positions; allocates only if that is more than ever before.
  void reserve(int32_t length);

  // qkv [length, 3 d_model] (query, key, value of all heads) -> context [rows, d_model] at the
  // positions `queries` [rows]. A head adds its row of `offsets` [n_heads, kRelativeBuckets] (or
  // empty) to the scores of keys in that bucket (rules/relative_bucket.h). Copies the probabilities
  // to `kept` [n_heads, rows, length], unless it is null.
  void run(const float* qkv, int32_t length, std::span<const int32_t> queries,
           const Matrix& offsets, float* context, float* kept);

 private:
  void gather(const float* qkv, int32_t length, std::span<const int32_t> queries, int32_t head);
  int32_t d_model_, n_heads_, d_head_, head_stride_;
  void spread_offsets(const Matrix& offsets, int32_t length, int32_t head);
  std::vector<float> query_, key_transposed_, value_, scores_, out_;
  std::vector<float> offset_bias_;  // of one head: [2 length − 1], offset o at length − 1 + o
  std::vector<uint8_t> buckets_;    // offset o at middle + o
};

}  // namespace minibert::infer

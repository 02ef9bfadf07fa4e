// Multi-head self-attention (Vaswani et al. 2017) between its two projections.
#pragma once

#include "core/torch.h"
#include "rules/relative_bucket.h"

namespace minibert {

// What changes attention besides its input; undefined tensors change nothing.
struct AttentionTerms {
  // [H, 2S - 1] float32: added to the scores of head h for the key that is o positions after the
  // query, at S - 1 + o (relative_offsets).
  torch::Tensor offset_bias;
  // [B, Q] int64: the positions whose queries are asked, any number of times; without it all.
  torch::Tensor queries;
  // Inverted dropout of the probabilities, as keyed_dropout (dropout.h).
  double dropout = 0;
  uint64_t dropout_key = 0;
};

// qkv_BS3D: queries, keys and values, each D wide with the heads side by side; bias_BS (float32) is
// added to the scores of each key: 0 at pieces, a large negative number at padding, the same for
// all queries and heads. Returns the context, [B, S, D] ([B, Q, D] for chosen queries) in qkv's
// type. On the CPU probabilities are kept for the backward pass in qkv's type, all else in between
// is computed in float32.
torch::Tensor self_attention(const torch::Tensor& qkv, const torch::Tensor& bias, int64_t n_heads,
                             const AttentionTerms& terms = {});

// The probabilities that self_attention weighs values with, before dropout: [B, H, S, S] ([B, H, Q,
// S] for chosen queries) in qkv's type.
torch::Tensor attention_probabilities(const torch::Tensor& qkv, const torch::Tensor& bias,
                                      int64_t n_heads, const AttentionTerms& terms = {});

// [2 * length - 1] int64: the bucket of offset o at length - 1 + o. A shorter length's are in the middle of it.
torch::Tensor relative_buckets(int64_t length);

// What attention adds to a score for how far the key is from the query, one learned value a head
// and bucket: table [H, kRelativeBuckets] -> [H, 2 * length - 1], the value of offset o at length -
// 1 + o.
torch::Tensor relative_offsets(const torch::Tensor& table, int64_t length);

// [H, 2 * length - 1] float32: 0 for keys at or before the query, a large negative number for those
// after it, so that attention reads from left to right.
torch::Tensor causal_offsets(int64_t heads, int64_t length, torch::Device device);

}  // namespace minibert

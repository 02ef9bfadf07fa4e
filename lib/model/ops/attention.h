// Multi-head self-attention (Vaswani et al. 2017) between its two projections.
#pragma once

#include "core/torch.h"
#include "rules/relative_bucket.h"

namespace minibert {

// Options of attention; undefined tensors change nothing.
struct AttentionTerms {
  // [H, 2S - 1] float32: entry S - 1 + o is added to the scores of head h for the key o positions
  // after the query (relative_offsets).
  torch::Tensor offset_bias;
  // [B, Q] int64: the positions whose queries are computed; repeats are allowed. Undefined: all.
  torch::Tensor queries;
  // Inverted dropout of the probabilities, like keyed_dropout (dropout.h).
  double dropout = 0;
  uint64_t dropout_key = 0;
};

// qkv_BS3D: queries, keys and values, each D wide with the heads side by side; bias_BS (float32) is
// added to the scores of each key: 0 at pieces, a large negative number at padding. Returns the
// context, [B, S, D] ([B, Q, D] for chosen queries) in qkv's type. On the CPU the backward pass
// reads probabilities in qkv's type; everything between is computed in float32.
torch::Tensor self_attention(const torch::Tensor& qkv, const torch::Tensor& bias, int64_t n_heads,
                             const AttentionTerms& terms = {});

// Returns self_attention's probabilities before dropout: [B, H, S, S] ([B, H, Q, S] for chosen
// queries) in qkv's type.
torch::Tensor attention_probabilities(const torch::Tensor& qkv, const torch::Tensor& bias,
                                      int64_t n_heads, const AttentionTerms& terms = {});

// [2 * length - 1] int64: the bucket of offset o at length - 1 + o. The middle part serves a
// shorter length.
torch::Tensor relative_buckets(int64_t length);

// Expands one learned value a head and bucket to offsets: table [H, kRelativeBuckets] -> [H, 2 *
// length - 1], the value of offset o at length - 1 + o.
torch::Tensor relative_offsets(const torch::Tensor& table, int64_t length);

// [H, 2 * length - 1] float32: 0 for keys at or before the query, a large negative number for later
// keys, so that attention reads from left to right.
torch::Tensor causal_offsets(int64_t heads, int64_t length, torch::Device device);

}  // namespace minibert

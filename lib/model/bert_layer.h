// One layer of the BERT encoder: a part that mixes positions (attention, or convolution in a local
// layer) and a feed-forward part. Shapes: B batch, S positions, Q chosen positions, D d_model, F
// d_ff, H heads.
#pragma once

#include <span>

#include "core/torch.h"
#include "model/config.h"
#include "model/ops/attention.h"
#include "model/ops/elementwise.h"

namespace minibert {

// The encoder applies the norms: residual sum and LayerNorm are one step, and with norm "pre" that
// LayerNorm belongs to the next part. Parameter names, after "bert.layers.N.":
// attention.{qkv,output} and, if configured, attention.{conv [K, 3D], offsets [H, buckets],gate};
// in a local layer local.{value,conv [K, D],output}; attention_norm, ffn.{inner,outer}, ffn_norm.
struct BertLayerImpl : torch::nn::Module {
  BertLayerImpl(const BertConfig& config, int64_t index);

  // x_BSD -> [B, S, D]; bias_BS: 0 at pieces, a large negative number at padding. With
  // terms.queries_BQ (int64) -> [B, Q, D], only at these positions. The layer sets the terms' bias
  // by offset. heads_off (from 0) are zero before the output projection.
  torch::Tensor mix(const torch::Tensor& x, const torch::Tensor& bias,
                    const AttentionTerms& terms = {}, std::span<const int32_t> heads_off = {});
  torch::Tensor feed_forward(const torch::Tensor& x);
  // Returns mix()'s probabilities before dropout, [B, H, S, S]; undefined in a local layer.
  torch::Tensor attention(const torch::Tensor& x, const torch::Tensor& bias);

  torch::nn::LayerNorm attention_norm{nullptr}, ffn_norm{nullptr};

 private:
  void make_attention(const BertConfig& config);
  void make_local(const BertConfig& config);
  torch::Tensor queries_keys_values(const torch::Tensor& x, const torch::Tensor& bias);
  torch::Tensor offset_bias(const torch::Tensor& x);  // undefined if nothing depends on offsets
  torch::Tensor attend(const torch::Tensor& x, const torch::Tensor& bias, AttentionTerms terms,
                       std::span<const int32_t> heads_off);
  torch::Tensor convolve(const torch::Tensor& x, const torch::Tensor& bias,
                         const torch::Tensor& queries);

  int64_t n_heads_, longest_ = 0;
  bool gated_ffn_, causal_;
  Activation activation_;
  torch::nn::Linear qkv_{nullptr}, gate_{nullptr}, value_{nullptr}, output_{nullptr},
      inner_{nullptr}, outer_{nullptr};
  torch::Tensor conv_, offsets_;
  torch::Tensor buckets_;  // buckets of the offsets in the longest input, on the layer's device
};
TORCH_MODULE(BertLayer);

}  // namespace minibert

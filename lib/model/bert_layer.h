// One layer of the BERT encoder: a part that mixes positions, by attention or, in a local layer, by
// convolution alone, and a feed-forward part. Shapes: B batch, S positions, Q chosen positions, D
// d_model, F d_ff, H heads.
#pragma once

#include <span>

#include "core/torch.h"
#include "model/config.h"
#include "model/ops/attention.h"
#include "model/ops/elementwise.h"

namespace minibert {

// Which norm follows which part is the encoder's business: residual sum and LayerNorm are one step,
// and with norm "pre" that LayerNorm is the next part's. Parameter names, after "bert.layers.N.":
// attention.{qkv,output} and, where the configuration asks for them, attention.{conv [K, 3D],
// offsets [H, buckets],gate}; in a local layer local.{value,conv [K, D],output}; attention_norm,
// ffn.{inner,outer}, ffn_norm.
struct BertLayerImpl : torch::nn::Module {
  BertLayerImpl(const BertConfig& config, int64_t index);

  // x_BSD -> [B, S, D]; bias_BS: 0 at pieces, a large negative number at padding. With
  // terms.queries_BQ (int64) -> [B, Q, D], those positions alone; the terms' bias by offset is the
  // layer's own. heads_off (from 0) are zero before the output projection.
  torch::Tensor mix(const torch::Tensor& x, const torch::Tensor& bias,
                    const AttentionTerms& terms = {}, std::span<const int32_t> heads_off = {});
  torch::Tensor feed_forward(const torch::Tensor& x);
  // The probabilities that mix(x, bias) weighs values with, [B, H, S, S], before dropout; undefined
  // in a local layer.
  torch::Tensor attention(const torch::Tensor& x, const torch::Tensor& bias);

  torch::nn::LayerNorm attention_norm{nullptr}, ffn_norm{nullptr};

 private:
  void make_attention(const BertConfig& config);
  void make_local(const BertConfig& config);
  torch::Tensor queries_keys_values(const torch::Tensor& x, const torch::Tensor& bias);
  torch::Tensor offset_bias(const torch::Tensor& x);  // undefined where nothing depends on offsets
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
  torch::Tensor buckets_;  // of the offsets of the longest input, where the layer computes
};
TORCH_MODULE(BertLayer);

}  // namespace minibert

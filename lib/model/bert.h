// The BERT encoder and its three heads. Shapes: B batch, S positions, D d_model, E embedding size,
// F d_ff, H heads, V vocabulary, M masked positions in the batch.
#pragma once

#include <torch/torch.h>

#include "model/config.h"
#include "model/dropout.h"
#include "model/tied_cross_entropy.h"

namespace minibert {

// What a forward pass needs beside weights and input.
struct ForwardContext {
  DropoutKeys dropout;
  // The type of matrix products and of all activations; weights, statistics and sums are float32.
  torch::ScalarType compute_type = torch::kFloat32;
};

// The parts of one layer. Which norm follows which part is the encoder's business: residual sum
// and LayerNorm are one step, and with norm "pre" that LayerNorm is the next part's.
struct BertLayerImpl : torch::nn::Module {
  explicit BertLayerImpl(const BertConfig& config);
  // x_BSD -> [B, S, D]; bias_BS: 0 at pieces, a large negative number at padding.
  torch::Tensor attend(const torch::Tensor& x, const torch::Tensor& bias);
  torch::Tensor feed_forward(const torch::Tensor& x);

  torch::nn::LayerNorm attention_norm{nullptr}, ffn_norm{nullptr};

 private:
  int64_t n_heads_;
  torch::nn::Linear qkv_{nullptr}, output_{nullptr}, inner_{nullptr}, outer_{nullptr};
};
TORCH_MODULE(BertLayer);

// Parameter names, which records and .mbq files keep: bert.embeddings.{token,position,segment,norm,
// projection}, bert.layers.N.{attention.qkv,attention.output,attention_norm,ffn.inner,ffn.outer,
// ffn_norm}, bert.final_norm (pre-norm), mlm.{transform,norm,bias}, nsp.{dense,output}, qa.
struct BertImpl : torch::nn::Module {
  enum Heads { kPretraining, kQuestionAnswering };
  BertImpl(const BertConfig& config, Heads heads);

  // Weights from the seed alone, see bert_init.h.
  void initialize(uint64_t seed);
  // Dropout follows from this key until the next call (train mode).
  void set_dropout_key(uint64_t key) { context_.dropout.reset(key); }
  // float32 (the default) or bfloat16 matrix products.
  void set_compute_type(torch::ScalarType type) { context_.compute_type = type; }

  // log_probability: of every piece, V values; where the output bias starts (needs mlm_bias).
  void set_output_bias(const std::vector<double>& log_probability);

  // ids_BS, segments_BS (int64, padding 0) -> hidden_BSD in the compute type. Padding changes no
  // real position.
  torch::Tensor encode(const torch::Tensor& ids, const torch::Tensor& segments);
  // hidden_BSD, positions_M into B*S (flat), labels_M -> loss over those positions alone.
  MlmOutput mlm(const torch::Tensor& hidden, const torch::Tensor& positions,
                const torch::Tensor& labels);
  // hidden_BSD -> logits_B2 of [CLS]; 1 means that B follows A.
  torch::Tensor nsp(const torch::Tensor& hidden);
  // hidden_BSD -> logits_BS2: start, end.
  torch::Tensor qa(const torch::Tensor& hidden);

  const BertConfig& config() const { return config_; }

 private:
  torch::Tensor post_norm_layers(torch::Tensor x, const torch::Tensor& bias);
  torch::Tensor pre_norm_layers(torch::Tensor x, const torch::Tensor& bias);
  BertLayer& layer(int64_t application) { return layers_[config_.share_layers ? 0 : application]; }
  double dropout() const { return is_training() ? config_.dropout : 0.0; }

  BertConfig config_;
  ForwardContext context_;
  torch::nn::Embedding token_{nullptr}, position_{nullptr}, segment_{nullptr};
  torch::nn::LayerNorm embedding_norm_{nullptr}, final_norm_{nullptr}, mlm_norm_{nullptr};
  torch::nn::Linear projection_{nullptr}, mlm_transform_{nullptr}, nsp_dense_{nullptr},
      nsp_output_{nullptr}, qa_{nullptr};
  torch::Tensor mlm_bias_;
  std::vector<BertLayer> layers_;
};
TORCH_MODULE(Bert);

}  // namespace minibert

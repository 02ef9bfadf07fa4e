// The BERT encoder (Devlin et al. 2019). Shapes: B batch, S positions, D d_model, E embedding size,
// F d_ff, H heads, V vocabulary.
#pragma once

#include <vector>

#include "core/torch.h"
#include "model/bert_layer.h"
#include "model/encoder.h"
#include "model/ops/dropout.h"
#include "rules/intervention.h"

namespace minibert {

// The state of a forward pass besides weights and input.
struct ForwardContext {
  DropoutKeys dropout;
  // The type of matrix products and of all activations; weights, statistics and sums are float32.
  torch::ScalarType compute_type = torch::kFloat32;
};

// Intermediate results of a forward pass.
struct EncoderTrace {
  // n_layers + 1 of [B, S, D]: the input of the first layer, then the output of each; the last is
  // what encode() returns.
  std::vector<torch::Tensor> states;
  // n_layers of [B, H, S, S]: the weight that each position (row) gives to each other (column);
  // undefined for a local layer, which has no attention.
  std::vector<torch::Tensor> attention;
  // [B, S, D]: the last state before the final LayerNorm; undefined without that norm.
  torch::Tensor residual;
};

// Parameter names, persisted in records and .mbq files:
// bert.embeddings.{token,position,segment,norm, projection}, if the configuration has them;
// bert.layers.N (bert_layer.h); bert.final_norm (pre-norm).
class BertEncoder : public Encoder {
 public:
  explicit BertEncoder(const BertConfig& config);

  // hidden_BSD is in the compute type.
  torch::Tensor encode(const torch::Tensor& ids, const torch::Tensor& segments) override;
  // Returns hidden_BQD only at queries_BQ (int64, into S), with encode()'s values; the last layer
  // computes no more than these need. With undefined queries it is encode().
  torch::Tensor encode_at(const torch::Tensor& ids, const torch::Tensor& segments,
                          const torch::Tensor& queries);
  // Encodes and keeps the intermediate results.
  EncoderTrace trace(const torch::Tensor& ids, const torch::Tensor& segments);
  // Changes all later passes, which must run without gradients; an empty intervention restores the
  // model. Throws a usage Error for a part that the model does not have.
  void intervene(Intervention what);
  // The state of [CLS]; with causal attention the state of the last piece, which alone has read the
  // whole text (then ids_BS are needed).
  torch::Tensor pooled(const torch::Tensor& hidden, const torch::Tensor& ids) const override;
  bool has_pooler() const override { return true; }
  int64_t width() const override { return config_.d_model; }
  Flops flops(const PassShape& shape) const override;
  int64_t max_positions() const override { return config_.max_positions; }
  std::string prefix() const override { return "bert."; }
  // See bert_init.h.
  void initialize(uint64_t seed) override;
  void initialize_dense(torch::Tensor weight, uint64_t seed,
                        const std::string& name) const override;
  void set_dropout_key(uint64_t key) override { context_.dropout.reset(key); }
  void set_compute_type(torch::ScalarType type) override { context_.compute_type = type; }
  torch::ScalarType compute_type() const override { return context_.compute_type; }

  const torch::Tensor& token_embedding() const { return token_->weight; }  // [V, E]
  const BertConfig& config() const { return config_; }

 private:
  torch::Tensor post_norm_layers(torch::Tensor x, const torch::Tensor& bias,
                                 const torch::Tensor& queries);
  torch::Tensor pre_norm_layers(torch::Tensor x, const torch::Tensor& bias,
                                const torch::Tensor& queries);
  BertLayer& layer(int64_t application);
  torch::Tensor mix(int64_t application, const torch::Tensor& x, const torch::Tensor& bias,
                    const torch::Tensor& queries);
  torch::Tensor feed_forward(int64_t application, const torch::Tensor& x);
  bool patch(int64_t stage, const torch::Tensor& queries, torch::Tensor* x);
  std::vector<torch::Tensor> cast_weights() const;
  void tell(BertLayer& layer, const torch::Tensor& state, const torch::Tensor& input,
            const torch::Tensor& bias);
  double dropout() const { return is_training() ? config_.dropout : 0.0; }
  AttentionTerms attention_terms(const torch::Tensor& queries);

  BertConfig config_;
  ForwardContext context_;
  Intervention changed_;
  EncoderTrace* trace_ = nullptr;  // of the present pass
  torch::nn::Embedding token_{nullptr}, position_{nullptr}, segment_{nullptr};
  torch::nn::LayerNorm embedding_norm_{nullptr}, final_norm_{nullptr};
  torch::nn::Linear projection_{nullptr};
  std::vector<BertLayer> layers_;
};

}  // namespace minibert

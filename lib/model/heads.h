// The heads that read an encoder's output, one class each. A head initializes itself through its
// encoder; kName begins its parameters' names in records. Shapes: B batch, S positions, D width, E
// embedding size, V vocabulary, M masked positions in the batch, C outputs.
#pragma once

#include <memory>
#include <vector>

#include "core/torch.h"
#include "model/encoder.h"
#include "model/flops.h"
#include "model/ops/elementwise.h"
#include "model/ops/tied_cross_entropy.h"

namespace minibert {

// Masked LM with the token embeddings as output layer. Parameters: mlm.{transform,norm} (dense +
// activation + LayerNorm, with mlm_transform), mlm.bias (with mlm_bias), mlm.decoder.weight [V, E]
// (without mlm_tied, in place of the token embeddings), mlm.context (with mlm_context).
class MlmHead : public torch::nn::Module {
 public:
  static constexpr const char* kName = "mlm";
  explicit MlmHead(const BertConfig& config);
  void initialize(const Encoder& encoder, uint64_t seed);
  // Starts the output bias (needs mlm_bias) at every piece's log_probability, V values.
  void set_output_bias(const std::vector<double>& log_probability);
  // hidden_MD, labels_M, token_VE, the pieces shown to the rows, and a teacher's scores of the rows
  // (null: none) -> loss over the rows.
  MlmOutput operator()(const torch::Tensor& hidden, const torch::Tensor& labels,
                       const torch::Tensor& token, const ShownPieces& shown,
                       const SoftTargets* soft = nullptr) const;
  // Returns the parts of the rows' scores.
  PieceScores scores(const torch::Tensor& hidden, const torch::Tensor& token,
                     const ShownPieces& shown) const;
  // hidden_MD, token_VE, the pieces shown to the rows -> [M, V] float32, the scores of every piece
  // before the softmax.
  torch::Tensor logits(const torch::Tensor& hidden, const torch::Tensor& token,
                       const ShownPieces& shown) const;
  // The cost of the loss over `predicted` rows, with the pieces of B rows of S shown.
  Flops flops(int64_t predicted, const PassShape& shown) const;

 private:
  torch::Tensor transformed(const torch::Tensor& hidden) const;  // [M, D] -> [M, E]
  ContextScores bonus(const torch::Tensor& x, const torch::Tensor& token,
                      const ShownPieces& shown) const {
    return context_ ? (*context_)(x, token, shown) : ContextScores{};
  }
  const torch::Tensor& output(const torch::Tensor& token) const {
    return decoder_.defined() ? decoder_ : token;
  }

  int64_t width_, embedding_size_, vocab_size_;
  Activation activation_;
  torch::nn::Linear transform_{nullptr};
  torch::nn::LayerNorm norm_{nullptr};
  std::shared_ptr<ContextBonus> context_;
  torch::Tensor bias_, decoder_;
};

// Predicts if segment B follows segment A. Parameters: nsp.dense, BERT's pooler (dense + tanh;
// Devlin et al. 2019), and nsp.output.
class SentenceHead : public torch::nn::Module {
 public:
  static constexpr const char* kName = "nsp";
  // Without `logits` it is the pooler alone; `bias`: the logits have one.
  SentenceHead(int64_t width, bool logits, bool bias);
  void initialize(const Encoder& encoder, uint64_t seed);
  // pooled_BD -> [B, D], the pooler's output, in -1 to 1.
  torch::Tensor pooler(const torch::Tensor& pooled);
  // pooled_BD -> logits_B2; class 1: B follows A. Needs logits.
  torch::Tensor operator()(const torch::Tensor& pooled);
  bool has_logits() const { return static_cast<bool>(output_); }
  // The cost of the logits of `rows` rows.
  Flops flops(int64_t rows) const;

 private:
  torch::nn::Linear dense_{nullptr}, output_{nullptr};
};

// Finds start and end of a span. Parameters: qa.{weight,bias} and, if answer_lengths L > 0,
// qa.length, which is counted, not trained.
class SpanHead : public torch::nn::Module {
 public:
  static constexpr const char* kName = "qa";
  SpanHead(int64_t width, int64_t answer_lengths);
  void initialize(const Encoder& encoder, uint64_t seed);
  // hidden_BSD -> logits_BS2: start, end; float32.
  torch::Tensor operator()(const torch::Tensor& hidden) const;
  Flops flops(int64_t positions) const;
  // Counts the training answers' lengths in pieces (at least 1; lengths above L count as L),
  // add-one smoothed. Does nothing if L is 0.
  void set_answer_lengths(const std::vector<uint32_t>& lengths);
  // [L] log probability of an answer of 1 … L pieces; empty if L is 0.
  std::vector<float> length_scores() const;

 private:
  torch::Tensor weight_, bias_, length_;
};

// Judges a whole text: C logits or one number. Parameters: sequence.{dense,output}; dense is BERT's
// pooler (dense + tanh; Devlin et al. 2019).
class SequenceHead : public torch::nn::Module {
 public:
  static constexpr const char* kName = "sequence";
  // Without a pooler the output layer reads the encoder's pooled vector.
  SequenceHead(int64_t width, int64_t outputs, bool pooler, double dropout);
  void initialize(const Encoder& encoder, uint64_t seed);
  // pooled_BD float32 -> [B, C]; dropout (train mode) follows from `key`.
  torch::Tensor operator()(const torch::Tensor& pooled, uint64_t key);
  Flops flops(int64_t rows) const;

 private:
  double dropout_;
  torch::nn::Linear dense_{nullptr}, output_{nullptr};
};

// Labels every position. Parameters: tag.{weight,bias}.
class TagHead : public torch::nn::Module {
 public:
  static constexpr const char* kName = "tag";
  TagHead(int64_t width, int64_t tags, double dropout);
  void initialize(const Encoder& encoder, uint64_t seed);
  // hidden_BSD -> logits_BSC float32; dropout (train mode) follows from `key`.
  torch::Tensor operator()(const torch::Tensor& hidden, uint64_t key) const;
  Flops flops(int64_t positions) const;

 private:
  double dropout_;
  torch::Tensor weight_, bias_;
};

}  // namespace minibert

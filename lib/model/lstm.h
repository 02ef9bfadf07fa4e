// The course's baseline (S1) as an encoder: embeddings and two LSTM layers, left to right. Shapes:
// B batch, S positions, D d_model.
#pragma once

#include "model/encoder.h"

namespace minibert {

class LstmEncoder : public Encoder {
 public:
  explicit LstmEncoder(const LstmConfig& config);

  torch::Tensor encode(const torch::Tensor& ids, const torch::Tensor& segments) override;
  // The last real position: the only one that has read the whole text.
  torch::Tensor pooled(const torch::Tensor& hidden, const torch::Tensor& ids) const override;
  bool has_pooler() const override { return false; }
  int64_t width() const override { return d_model_; }
  Flops flops(const PassShape& shape) const override;
  std::string prefix() const override { return ""; }
  // Keras' initialization: embeddings uniform ±0.05, Glorot-uniform kernels, orthogonal recurrent
  // kernels, forget-gate bias 1, other biases 0.
  void initialize(uint64_t seed) override;
  void initialize_dense(torch::Tensor weight, uint64_t seed,
                        const std::string& name) const override;

 private:
  int64_t d_model_;
  torch::nn::Embedding token_{nullptr}, segment_{nullptr};
  torch::nn::LSTM lstm_{nullptr};
};

}  // namespace minibert

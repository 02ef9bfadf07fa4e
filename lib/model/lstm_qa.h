// The course's baseline (S1): embeddings, two LSTM layers, one linear layer to start and end.
// Shapes: B batch, S positions, D d_model.
#pragma once

#include <torch/torch.h>

#include "model/config.h"

namespace minibert {

struct LstmQaImpl : torch::nn::Module {
  explicit LstmQaImpl(const LstmConfig& config);

  // Keras' initialization: embeddings uniform ±0.05, Glorot-uniform kernels, orthogonal recurrent
  // kernels, forget-gate bias 1, other biases 0.
  void initialize(uint64_t seed);
  // ids_BS, segments_BS (int64, padding 0 at the end) -> logits_BS2: start, end.
  torch::Tensor qa(const torch::Tensor& ids, const torch::Tensor& segments);

 private:
  torch::nn::Embedding token_{nullptr}, segment_{nullptr};
  torch::nn::LSTM lstm_{nullptr};
  torch::nn::Linear qa_{nullptr};
};
TORCH_MODULE(LstmQa);

}  // namespace minibert

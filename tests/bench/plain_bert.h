// The BERT of lib/model/bert.h as one writes it in PyTorch: stock modules, one operation after the
// other, float32, every position decoded. The training benchmark compares with it.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "model/config.h"
#include "train/trainer.h"

namespace minibert::bench {

struct PlainLayerImpl : torch::nn::Module {
  explicit PlainLayerImpl(const BertConfig& config);
  // x_BSD, mask_B11S (true at padding) -> [B, S, D].
  torch::Tensor forward(torch::Tensor x, const torch::Tensor& mask);

 private:
  torch::Tensor attend(const torch::Tensor& x, const torch::Tensor& mask);
  torch::Tensor feed_forward(const torch::Tensor& x);

  int64_t n_heads_;
  bool pre_norm_;
  torch::nn::Linear qkv_{nullptr}, output_{nullptr}, inner_{nullptr}, outer_{nullptr};
  torch::nn::LayerNorm attention_norm_{nullptr}, ffn_norm_{nullptr};
  torch::nn::Dropout dropout_{nullptr};
};
TORCH_MODULE(PlainLayer);

// Without shared layers, which no arm of the experiments has.
struct PlainBertImpl : torch::nn::Module {
  PlainBertImpl(const BertConfig& config, bool question_answering);
  // Returns the step's loss; the batch comes from the tasks, with any padding.
  torch::Tensor loss(const Batch& batch);

 private:
  torch::Tensor encode(const torch::Tensor& ids, const torch::Tensor& segments);
  torch::Tensor pretraining_loss(const torch::Tensor& hidden, const Batch& batch);
  torch::Tensor answer_loss(const torch::Tensor& hidden, const Batch& batch);

  bool question_answering_;
  torch::nn::Embedding token_{nullptr}, position_{nullptr}, segment_{nullptr};
  torch::nn::LayerNorm embedding_norm_{nullptr}, final_norm_{nullptr}, mlm_norm_{nullptr};
  torch::nn::Dropout dropout_{nullptr};
  torch::nn::ModuleList layers_{nullptr};
  torch::nn::Linear projection_{nullptr}, mlm_transform_{nullptr}, nsp_dense_{nullptr},
      nsp_output_{nullptr}, qa_{nullptr};
  torch::Tensor mlm_bias_;
};
TORCH_MODULE(PlainBert);

}  // namespace minibert::bench

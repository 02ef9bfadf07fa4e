#include "model/lstm_qa.h"

#include <cmath>

#include "model/init.h"

namespace minibert {

LstmQaImpl::LstmQaImpl(const LstmConfig& config) {
  const int64_t d = config.d_model;
  token_ = register_module("token", torch::nn::Embedding(config.vocab_size, d));
  segment_ = register_module("segment", torch::nn::Embedding(2, d));
  lstm_ = register_module(
      "lstm", torch::nn::LSTM(torch::nn::LSTMOptions(d, d).num_layers(2).batch_first(true)));
  qa_ = register_module("qa", torch::nn::Linear(d, 2));
}

void LstmQaImpl::initialize(uint64_t seed) {
  torch::NoGradGuard no_grad;
  const auto glorot = [](int64_t fan_in, int64_t fan_out) {
    return std::sqrt(6.0 / static_cast<double>(fan_in + fan_out));
  };
  for (const auto& item : named_parameters()) {
    const std::string& name = item.key();
    torch::Tensor value = item.value();
    if (name == "token.weight" || name == "segment.weight") {
      fill_uniform(value, 0.05, seed, name);
    } else if (name.find("weight_hh") != std::string::npos) {
      fill_orthogonal(value, seed, name);
    } else if (value.dim() == 1) {
      value.zero_();
      // Gates lie in the order input, forget, cell, output; Keras has one bias, LibTorch two.
      if (name.find("bias_ih") != std::string::npos) value.chunk(4)[1].fill_(1);
    } else {
      fill_uniform(value, glorot(value.size(1), value.size(0)), seed, name);
    }
  }
}

torch::Tensor LstmQaImpl::qa(const torch::Tensor& ids, const torch::Tensor& segments) {
  return qa_(std::get<0>(lstm_(token_(ids) + segment_(segments))));
}

}  // namespace minibert

#include "model/lstm.h"

#include "model/init.h"
#include "model/ops/cpu_values.h"
#include "model/ops/lstm_layer.h"

namespace minibert {

std::shared_ptr<Encoder> make_encoder(const LstmConfig& config) {
  return std::make_shared<LstmEncoder>(config);
}

LstmEncoder::LstmEncoder(const LstmConfig& config) : d_model_(config.d_model) {
  const int64_t d = config.d_model;
  token_ = register_module("token", torch::nn::Embedding(config.vocab_size, d));
  segment_ = register_module("segment", torch::nn::Embedding(config.segments, d));
  lstm_ = register_module(
      "lstm", torch::nn::LSTM(torch::nn::LSTMOptions(d, d).num_layers(2).batch_first(true)));
}

void LstmEncoder::initialize(uint64_t seed) {
  torch::NoGradGuard no_grad;
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
      fill_glorot(value, seed, name);
    }
  }
}

void LstmEncoder::initialize_dense(torch::Tensor weight, uint64_t seed,
                                   const std::string& name) const {
  fill_glorot(std::move(weight), seed, name);
}

torch::Tensor LstmEncoder::encode(const torch::Tensor& ids, const torch::Tensor& segments) {
  torch::Tensor x = token_(ids) + segment_(segments);
  // cuDNN makes one operation only of the module's own call.
  if (!has_cpu_kernels(x)) return std::get<0>(lstm_(x));
  const std::vector<torch::Tensor> weights = lstm_->parameters();
  constexpr size_t kOfLayer = 4;
  for (size_t i = 0; i < weights.size(); i += kOfLayer)
    x = lstm_layer(x, {weights[i], weights[i + 1], weights[i + 2], weights[i + 3]});
  return x;
}

Flops LstmEncoder::flops(const PassShape& shape) const {
  constexpr int64_t kGates = 4;
  const int64_t layers = lstm_->options.num_layers();
  Flops out;
  for (int64_t i = 0; i < layers; ++i) {
    // From below, and from the step before; the state before the first step takes no gradient.
    out += dense(shape.rows * shape.length, d_model_, kGates * d_model_);
    out += dense(shape.rows * shape.length, d_model_, kGates * d_model_);
    out.backward -= dense(shape.rows, d_model_, kGates * d_model_).forward;
  }
  return out;
}

torch::Tensor LstmEncoder::pooled(const torch::Tensor& hidden, const torch::Tensor& ids) const {
  const torch::Tensor last_B = ids.ne(0).sum(1) - 1;
  const torch::Tensor index_B1D = last_B.view({-1, 1, 1}).expand({-1, 1, hidden.size(2)});
  return hidden.gather(1, index_B1D).squeeze(1);
}

}  // namespace minibert

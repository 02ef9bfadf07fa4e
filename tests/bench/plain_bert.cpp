#include "plain_bert.h"

#include <cmath>

#include "core/error.h"
#include "task/pretrain/pretrain_task.h"
#include "task/qa/qa_task.h"

namespace minibert::bench {
namespace {

namespace F = torch::nn::functional;
using torch::nn::LayerNorm;
using torch::nn::LayerNormOptions;
using torch::nn::Linear;
using torch::nn::LinearOptions;

constexpr int64_t kIgnored = -100;  // PyTorch's label of positions that do not count

LayerNorm norm(int64_t size, double eps) { return LayerNorm(LayerNormOptions({size}).eps(eps)); }

}  // namespace

PlainLayerImpl::PlainLayerImpl(const BertConfig& config)
    : n_heads_(config.n_heads), pre_norm_(config.norm == "pre") {
  const int64_t d = config.d_model;
  qkv_ = register_module("qkv", Linear(d, 3 * d));
  output_ = register_module("output", Linear(d, d));
  inner_ = register_module("inner", Linear(d, config.d_ff));
  outer_ = register_module("outer", Linear(config.d_ff, d));
  attention_norm_ = register_module("attention_norm", norm(d, config.layer_norm_eps));
  ffn_norm_ = register_module("ffn_norm", norm(d, config.layer_norm_eps));
  dropout_ = register_module("dropout", torch::nn::Dropout(config.dropout));
}

torch::Tensor PlainLayerImpl::attend(const torch::Tensor& x, const torch::Tensor& mask) {
  const int64_t batch = x.size(0), length = x.size(1), d = x.size(2), width = d / n_heads_;
  const auto heads = [&](const torch::Tensor& part) {
    return part.reshape({batch, length, n_heads_, width}).transpose(1, 2);
  };
  const auto parts = qkv_(x).chunk(3, -1);
  auto scores = torch::matmul(heads(parts[0]), heads(parts[1]).transpose(-1, -2));
  scores = (scores / std::sqrt(static_cast<double>(width))).masked_fill(mask, -1e9);
  const auto context = torch::matmul(torch::softmax(scores, -1), heads(parts[2]));
  return output_(context.transpose(1, 2).reshape({batch, length, d}));
}

torch::Tensor PlainLayerImpl::feed_forward(const torch::Tensor& x) {
  return outer_(torch::gelu(inner_(x), "tanh"));
}

torch::Tensor PlainLayerImpl::forward(torch::Tensor x, const torch::Tensor& mask) {
  if (pre_norm_) {
    x = x + dropout_(attend(attention_norm_(x), mask));
    return x + dropout_(feed_forward(ffn_norm_(x)));
  }
  x = attention_norm_(x + dropout_(attend(x, mask)));
  return ffn_norm_(x + dropout_(feed_forward(x)));
}

PlainBertImpl::PlainBertImpl(const BertConfig& config, bool question_answering)
    : question_answering_(question_answering) {
  if (config.share_layers) throw Error("bench_train: the plain model has no share_layers");
  const int64_t d = config.d_model, e = config.embedding_size;
  token_ = register_module("token", torch::nn::Embedding(config.vocab_size, e));
  position_ = register_module("position", torch::nn::Embedding(config.max_positions, e));
  segment_ = register_module("segment", torch::nn::Embedding(config.segments, e));
  embedding_norm_ = register_module("embedding_norm", norm(e, config.layer_norm_eps));
  if (e != d) projection_ = register_module("projection", Linear(e, d));
  dropout_ = register_module("dropout", torch::nn::Dropout(config.dropout));
  layers_ = register_module("layers", torch::nn::ModuleList());
  for (int64_t i = 0; i < config.n_layers; ++i) layers_->push_back(PlainLayer(config));
  if (config.norm == "pre")
    final_norm_ = register_module("final_norm", norm(d, config.layer_norm_eps));
  if (question_answering) {
    qa_ = register_module("qa", Linear(d, 2));
    return;
  }
  if (config.mlm_transform) {
    mlm_transform_ = register_module("mlm_transform", Linear(d, e));
    mlm_norm_ = register_module("mlm_norm", norm(e, config.layer_norm_eps));
  }
  if (config.mlm_bias)
    mlm_bias_ = register_parameter("mlm_bias", torch::zeros({config.vocab_size}));
  nsp_dense_ = register_module("nsp_dense", Linear(d, d));
  nsp_output_ = register_module("nsp_output", Linear(LinearOptions(d, 2).bias(false)));
}

torch::Tensor PlainBertImpl::encode(const torch::Tensor& ids, const torch::Tensor& segments) {
  const auto positions = torch::arange(ids.size(1), ids.options());
  auto x = embedding_norm_(token_(ids) + position_(positions) + segment_(segments));
  x = dropout_(projection_ ? projection_(x) : x);
  const auto mask_B11S = ids.eq(0).unsqueeze(1).unsqueeze(1);
  for (const auto& layer : *layers_) x = layer->as<PlainLayer>()->forward(x, mask_B11S);
  return final_norm_ ? final_norm_(x) : x;
}

torch::Tensor PlainBertImpl::pretraining_loss(const torch::Tensor& hidden, const Batch& batch) {
  auto x = hidden;
  if (mlm_transform_) x = mlm_norm_(torch::gelu(mlm_transform_(x), "tanh"));
  const auto logits_BSV = F::linear(x, token_->weight, mlm_bias_);
  auto labels = torch::full({batch.ids.numel()}, kIgnored, batch.ids.options());
  labels.index_put_({batch.targets[kPositions]}, batch.targets[kLabels]);
  auto loss = F::cross_entropy(logits_BSV.view({-1, logits_BSV.size(-1)}), labels,
                               F::CrossEntropyFuncOptions().ignore_index(kIgnored));
  if (batch.targets[kNsp].defined()) {
    const auto logits = nsp_output_(torch::tanh(nsp_dense_(hidden.select(1, 0))));
    loss = loss + F::cross_entropy(logits, batch.targets[kNsp]);
  }
  return loss;
}

torch::Tensor PlainBertImpl::answer_loss(const torch::Tensor& hidden, const Batch& batch) {
  const auto logits_BS2 = qa_(hidden).masked_fill(batch.ids.eq(0).unsqueeze(-1), -1e9);
  return F::cross_entropy(logits_BS2.select(2, 0), batch.targets[kStart]) +
         F::cross_entropy(logits_BS2.select(2, 1), batch.targets[kEnd]);
}

torch::Tensor PlainBertImpl::loss(const Batch& batch) {
  const auto hidden = encode(batch.ids, batch.segments);
  return question_answering_ ? answer_loss(hidden, batch) : pretraining_loss(hidden, batch);
}

}  // namespace minibert::bench

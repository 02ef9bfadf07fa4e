#include "model/bert.h"

#include "core/error.h"
#include "model/attention.h"
#include "model/bert_init.h"
#include "model/embedding.h"
#include "model/gelu.h"
#include "model/init.h"
#include "model/linear.h"
#include "model/residual_norm.h"

namespace minibert {
namespace {

using torch::nn::LayerNorm;
using torch::nn::LayerNormOptions;
using torch::nn::Linear;

constexpr double kPaddingBias = -1e9;

LayerNorm torch_layer_norm(int64_t size, double eps) {
  return LayerNorm(LayerNormOptions({size}).eps(eps));
}

torch::Tensor project(const Linear& layer, const torch::Tensor& x, torch::ScalarType type) {
  return linear(x, layer->weight, layer->bias, type);
}

// Registers child modules under dotted names, which torch::nn::Module itself does not allow.
torch::nn::Module& group(torch::nn::Module& parent, const std::string& name) {
  for (const auto& child : parent.named_children())
    if (child.key() == name) return *child.value();
  return *parent.register_module(name, std::make_shared<torch::nn::Module>(name));
}

}  // namespace

BertLayerImpl::BertLayerImpl(const BertConfig& config) : n_heads_(config.n_heads) {
  const int64_t d = config.d_model;
  auto& attention = group(*this, "attention");
  qkv_ = attention.register_module("qkv", Linear(d, 3 * d));
  output_ = attention.register_module("output", Linear(d, d));
  attention_norm = register_module("attention_norm", torch_layer_norm(d, config.layer_norm_eps));
  auto& ffn = group(*this, "ffn");
  inner_ = ffn.register_module("inner", Linear(d, config.d_ff));
  outer_ = ffn.register_module("outer", Linear(config.d_ff, d));
  ffn_norm = register_module("ffn_norm", torch_layer_norm(d, config.layer_norm_eps));
}

torch::Tensor BertLayerImpl::attend(const torch::Tensor& x, const torch::Tensor& bias) {
  const auto type = x.scalar_type();
  return project(output_, self_attention(project(qkv_, x, type), bias, n_heads_), type);
}

torch::Tensor BertLayerImpl::feed_forward(const torch::Tensor& x) {
  const auto type = x.scalar_type();
  return project(outer_, tanh_gelu(project(inner_, x, type)), type);
}

BertEncoder::BertEncoder(const BertConfig& config) : config_(config) {
  const int64_t d = config.d_model, e = config.embedding_size;
  auto& embeddings = group(*this, "embeddings");
  token_ = embeddings.register_module("token", torch::nn::Embedding(config.vocab_size, e));
  position_ = embeddings.register_module("position", torch::nn::Embedding(config.max_positions, e));
  segment_ = embeddings.register_module("segment", torch::nn::Embedding(2, e));
  embedding_norm_ = embeddings.register_module("norm", torch_layer_norm(e, config.layer_norm_eps));
  if (e != d) projection_ = embeddings.register_module("projection", Linear(e, d));
  auto& layers = group(*this, "layers");
  for (int64_t i = 0; i < (config.share_layers ? 1 : config.n_layers); ++i)
    layers_.push_back(layers.register_module(std::to_string(i), BertLayer(config)));
  if (config.norm == "pre")
    final_norm_ = register_module("final_norm", torch_layer_norm(d, config.layer_norm_eps));
}

void BertEncoder::initialize(uint64_t seed) {
  NamedParameters parameters;
  for (const auto& item : named_parameters())
    parameters.emplace(prefix() + item.key(), item.value());
  initialize_bert(config_, parameters, seed);
}

void BertEncoder::initialize_dense(torch::Tensor weight, uint64_t seed,
                                   const std::string& name) const {
  fill_truncated_normal(std::move(weight), config_.init_std, seed, name);
}

torch::Tensor BertEncoder::encode(const torch::Tensor& ids, const torch::Tensor& segments) {
  const int64_t length = ids.size(1);
  if (length > config_.max_positions)
    throw Error("the input has " + std::to_string(length) + " pieces, the model reads at most " +
                std::to_string(config_.max_positions));
  const torch::Tensor sums_BSE =
      embedding_sum(ids, segments, token_->weight, position_->weight, segment_->weight);
  torch::Tensor x = layer_norm(sums_BSE, embedding_norm_).to(context_.compute_type);
  if (projection_) x = project(projection_, x, context_.compute_type);
  x = keyed_dropout(x, dropout(), context_.dropout.next());
  const torch::Tensor bias_BS = ids.eq(0).to(torch::kFloat32) * kPaddingBias;
  return final_norm_ ? pre_norm_layers(x, bias_BS) : post_norm_layers(x, bias_BS);
}

torch::Tensor BertEncoder::post_norm_layers(torch::Tensor x, const torch::Tensor& bias) {
  const auto add = [&](const torch::Tensor& branch, const LayerNorm& norm) {
    x = residual_norm(x, branch, norm, dropout(), context_.dropout.next()).y;
  };
  for (int64_t i = 0; i < config_.n_layers; ++i) {
    add(layer(i)->attend(x, bias), layer(i)->attention_norm);
    add(layer(i)->feed_forward(x), layer(i)->ffn_norm);
  }
  return x;
}

torch::Tensor BertEncoder::pre_norm_layers(torch::Tensor x, const torch::Tensor& bias) {
  torch::Tensor y = layer_norm(x, layer(0)->attention_norm);
  const auto add = [&](const torch::Tensor& branch, const LayerNorm& norm) {
    const ResidualNorm out = residual_norm(x, branch, norm, dropout(), context_.dropout.next());
    x = out.sum, y = out.y;
  };
  for (int64_t i = 0; i < config_.n_layers; ++i) {
    add(layer(i)->attend(y, bias), layer(i)->ffn_norm);
    add(layer(i)->feed_forward(y),
        i + 1 < config_.n_layers ? layer(i + 1)->attention_norm : final_norm_);
  }
  return y;
}

torch::Tensor BertEncoder::pooled(const torch::Tensor& hidden, const torch::Tensor&) const {
  const torch::Tensor first =
      torch::arange(hidden.size(0), hidden.options().dtype(torch::kInt64)) * hidden.size(1);
  return gather_rows(hidden, first).to(torch::kFloat32);
}

}  // namespace minibert

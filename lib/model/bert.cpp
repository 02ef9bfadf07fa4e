#include "model/bert.h"

#include <cmath>

#include "core/error.h"
#include "model/bert_init.h"
#include "model/gelu.h"
#include "model/tied_cross_entropy.h"

namespace minibert {
namespace {

using torch::nn::LayerNorm;
using torch::nn::LayerNormOptions;
using torch::nn::Linear;
using torch::nn::LinearOptions;

LayerNorm layer_norm(int64_t size, double eps) {
  return LayerNorm(LayerNormOptions({size}).eps(eps));
}

// A linear layer in the given type; the weights are cast for each use, which costs far less than
// the product and keeps one float32 master copy.
torch::Tensor project(const Linear& layer, const torch::Tensor& x, torch::ScalarType type) {
  const auto& bias = layer->bias;
  return torch::linear(x.to(type), layer->weight.to(type),
                       bias.defined() ? bias.to(type) : torch::Tensor());
}

// Registers child modules under dotted names, which torch::nn::Module itself does not allow.
torch::nn::Module& group(torch::nn::Module& parent, const std::string& name) {
  for (const auto& child : parent.named_children())
    if (child.key() == name) return *child.value();
  return *parent.register_module(name, std::make_shared<torch::nn::Module>(name));
}

}  // namespace

BertLayerImpl::BertLayerImpl(const BertConfig& config, ForwardContext* context)
    : n_heads_(config.n_heads),
      pre_norm_(config.norm == "pre"),
      dropout_(config.dropout),
      context_(context) {
  const int64_t d = config.d_model;
  auto& attention = group(*this, "attention");
  qkv_ = attention.register_module("qkv", Linear(d, 3 * d));
  output_ = attention.register_module("output", Linear(d, d));
  attention_norm_ = register_module("attention_norm", layer_norm(d, config.layer_norm_eps));
  auto& ffn = group(*this, "ffn");
  inner_ = ffn.register_module("inner", Linear(d, config.d_ff));
  outer_ = ffn.register_module("outer", Linear(config.d_ff, d));
  ffn_norm_ = register_module("ffn_norm", layer_norm(d, config.layer_norm_eps));
}

torch::Tensor BertLayerImpl::dropped(torch::Tensor x) {
  return is_training() ? keyed_dropout(x, dropout_, context_->dropout.next()) : x;
}

torch::Tensor BertLayerImpl::attend(const torch::Tensor& x, const torch::Tensor& bias) {
  const auto type = context_->compute_type;
  const int64_t batch = x.size(0), length = x.size(1), d = x.size(2), d_head = d / n_heads_;
  const auto qkv_3BHSd =
      project(qkv_, x, type).view({batch, length, 3, n_heads_, d_head}).permute({2, 0, 3, 1, 4});
  const auto query = qkv_3BHSd[0] * (1.0 / std::sqrt(static_cast<double>(d_head)));
  const auto scores_BHSS = torch::matmul(query, qkv_3BHSd[1].transpose(-1, -2)) + bias;
  const auto context = torch::matmul(torch::softmax(scores_BHSS, -1).to(type), qkv_3BHSd[2]);
  return project(output_, context.transpose(1, 2).reshape({batch, length, d}), type);
}

torch::Tensor BertLayerImpl::feed_forward(const torch::Tensor& x) {
  const auto type = context_->compute_type;
  return project(outer_, tanh_gelu(project(inner_, x, type)), type);
}

torch::Tensor BertLayerImpl::forward(torch::Tensor x, const torch::Tensor& bias) {
  if (pre_norm_) {
    x = x + dropped(attend(attention_norm_(x), bias));
    return x + dropped(feed_forward(ffn_norm_(x)));
  }
  x = attention_norm_(x + dropped(attend(x, bias)));
  return ffn_norm_(x + dropped(feed_forward(x)));
}

BertImpl::BertImpl(const BertConfig& config, Heads heads) : config_(config) {
  const int64_t d = config.d_model, e = config.embedding_size;
  auto& bert = group(*this, "bert");
  auto& embeddings = group(bert, "embeddings");
  token_ = embeddings.register_module("token", torch::nn::Embedding(config.vocab_size, e));
  position_ = embeddings.register_module("position", torch::nn::Embedding(config.max_positions, e));
  segment_ = embeddings.register_module("segment", torch::nn::Embedding(2, e));
  embedding_norm_ = embeddings.register_module("norm", layer_norm(e, config.layer_norm_eps));
  if (e != d) projection_ = embeddings.register_module("projection", Linear(e, d));
  auto& layers = group(bert, "layers");
  for (int64_t i = 0; i < (config.share_layers ? 1 : config.n_layers); ++i)
    layers_.push_back(layers.register_module(std::to_string(i), BertLayer(config, &context_)));
  if (config.norm == "pre")
    final_norm_ = bert.register_module("final_norm", layer_norm(d, config.layer_norm_eps));
  if (heads == kPretraining) {
    auto& mlm = group(*this, "mlm");
    if (config.mlm_transform) {
      mlm_transform_ = mlm.register_module("transform", Linear(d, e));
      mlm_norm_ = mlm.register_module("norm", layer_norm(e, config.layer_norm_eps));
    }
    if (config.mlm_bias)
      mlm_bias_ = mlm.register_parameter("bias", torch::zeros({config.vocab_size}));
    auto& nsp = group(*this, "nsp");
    nsp_dense_ = nsp.register_module("dense", Linear(d, d));
    nsp_output_ = nsp.register_module("output", Linear(LinearOptions(d, 2).bias(false)));
  }
  if (heads == kQuestionAnswering) qa_ = register_module("qa", Linear(d, 2));
}

void BertImpl::initialize(uint64_t seed) {
  NamedParameters parameters;
  for (const auto& item : named_parameters()) parameters.emplace(item.key(), item.value());
  initialize_bert(config_, parameters, seed);
}

void BertImpl::set_output_bias(const std::vector<double>& log_probability) {
  torch::NoGradGuard no_grad;
  mlm_bias_.copy_(torch::tensor(log_probability, torch::kFloat32));
}

torch::Tensor BertImpl::encode(const torch::Tensor& ids, const torch::Tensor& segments) {
  const int64_t length = ids.size(1);
  if (length > config_.max_positions)
    throw Error("the input has " + std::to_string(length) + " pieces, the model reads at most " +
                std::to_string(config_.max_positions));
  auto x = token_(ids) + position_->weight.slice(0, 0, length) + segment_(segments);
  x = embedding_norm_(x);
  if (projection_) x = project(projection_, x, context_.compute_type).to(torch::kFloat32);
  if (is_training()) x = keyed_dropout(x, config_.dropout, context_.dropout.next());
  const auto bias_B11S = (ids.eq(0).to(torch::kFloat32) * -1e9).unsqueeze(1).unsqueeze(1);
  for (int64_t i = 0; i < config_.n_layers; ++i)
    x = layers_[config_.share_layers ? 0 : i](x, bias_B11S);
  return final_norm_ ? final_norm_(x) : x;
}

MlmOutput BertImpl::mlm(const torch::Tensor& hidden, const torch::Tensor& positions,
                        const torch::Tensor& labels) {
  const auto type = context_.compute_type;
  auto x_ME = hidden.reshape({-1, config_.d_model}).index_select(0, positions);
  if (mlm_transform_) {
    const auto transformed = tanh_gelu(project(mlm_transform_, x_ME, type));
    x_ME = mlm_norm_(transformed.to(torch::kFloat32));
  }
  return tied_cross_entropy(x_ME.to(type), token_->weight, mlm_bias_, labels);
}

torch::Tensor BertImpl::nsp(const torch::Tensor& hidden) {
  return nsp_output_(torch::tanh(nsp_dense_(hidden.select(1, 0))));
}

torch::Tensor BertImpl::qa(const torch::Tensor& hidden) { return qa_(hidden); }

}  // namespace minibert

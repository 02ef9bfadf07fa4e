#include "model/bert_layer.h"

#include "model/attention.h"
#include "model/embedding.h"
#include "model/geglu.h"
#include "model/gelu.h"
#include "model/head_gate.h"
#include "model/module_parts.h"
#include "model/relative_position.h"
#include "model/sequence_convolution.h"

namespace minibert {

using torch::nn::Linear;

BertLayerImpl::BertLayerImpl(const BertConfig& config, int64_t index)
    : n_heads_(config.n_heads), gated_ffn_(config.ffn == "geglu") {
  const int64_t d = config.d_model;
  if (index < config.local_layers)
    make_local(config);
  else
    make_attention(config);
  attention_norm = register_module("attention_norm", torch_layer_norm(d, config.layer_norm_eps));
  auto& ffn = group(*this, "ffn");
  inner_ = ffn.register_module("inner", Linear(d, gated_ffn_ ? 2 * config.d_ff : config.d_ff));
  outer_ = ffn.register_module("outer", Linear(config.d_ff, d));
  ffn_norm = register_module("ffn_norm", torch_layer_norm(d, config.layer_norm_eps));
}

void BertLayerImpl::make_attention(const BertConfig& config) {
  const int64_t d = config.d_model;
  auto& attention = group(*this, "attention");
  qkv_ = attention.register_module("qkv", Linear(d, 3 * d));
  output_ = attention.register_module("output", Linear(d, d));
  if (config.conv > 0)
    conv_ = attention.register_parameter("conv", torch::zeros({config.conv, 3 * d}));
  if (config.position == "relative")
    offsets_ =
        attention.register_parameter("offsets", torch::zeros({config.n_heads, kRelativeBuckets}));
  if (config.head_gate) gate_ = attention.register_module("gate", Linear(d, config.n_heads));
}

void BertLayerImpl::make_local(const BertConfig& config) {
  const int64_t d = config.d_model;
  auto& local = group(*this, "local");
  value_ = local.register_module("value", Linear(d, d));
  conv_ = local.register_parameter("conv", torch::zeros({config.local_taps, d}));
  output_ = local.register_module("output", Linear(d, d));
}

torch::Tensor BertLayerImpl::mix(const torch::Tensor& x, const torch::Tensor& bias,
                                 const torch::Tensor& queries) {
  return value_ ? convolve(x, bias, queries) : attend(x, bias, queries);
}

torch::Tensor BertLayerImpl::attend(const torch::Tensor& x, const torch::Tensor& bias,
                                    const torch::Tensor& queries) {
  const auto type = x.scalar_type();
  torch::Tensor qkv = project(qkv_, x, type);
  if (conv_.defined()) qkv = sequence_convolution(qkv, conv_, bias);
  AttentionTerms terms;
  if (offsets_.defined()) terms.offset_bias = relative_offsets(offsets_, x.size(1));
  terms.queries = queries;
  torch::Tensor context = self_attention(qkv, bias, n_heads_, terms);
  if (gate_)
    context =
        gate_heads(context, project(gate_, queries.defined() ? at_positions(x, queries) : x, type));
  return project(output_, context, type);
}

torch::Tensor BertLayerImpl::convolve(const torch::Tensor& x, const torch::Tensor& bias,
                                      const torch::Tensor& queries) {
  const auto type = x.scalar_type();
  const torch::Tensor mixed = sequence_convolution(project(value_, x, type), conv_, bias);
  return project(output_, queries.defined() ? at_positions(mixed, queries) : mixed, type);
}

torch::Tensor BertLayerImpl::feed_forward(const torch::Tensor& x) {
  const auto type = x.scalar_type();
  const torch::Tensor inner = project(inner_, x, type);
  return project(outer_, gated_ffn_ ? geglu(inner) : tanh_gelu(inner), type);
}

}  // namespace minibert

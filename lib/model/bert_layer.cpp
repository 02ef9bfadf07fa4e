#include "model/bert_layer.h"

#include "model/module_parts.h"
#include "model/ops/attention.h"
#include "model/ops/cpu_values.h"
#include "model/ops/elementwise.h"
#include "model/ops/embedding.h"
#include "model/ops/sequence_convolution.h"

namespace minibert {

using torch::nn::Linear;

BertLayerImpl::BertLayerImpl(const BertConfig& config, int64_t index)
    : n_heads_(config.n_heads),
      gated_ffn_(config.ffn == "geglu"),
      causal_(config.causal),
      activation_(activation_named(config.activation)) {
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
  if (config.position == "relative") {
    offsets_ =
        attention.register_parameter("offsets", torch::zeros({config.n_heads, kRelativeBuckets}));
    longest_ = config.max_positions;
    buckets_ = attention.register_buffer("buckets", relative_buckets(longest_));
  }
  if (config.head_gate) gate_ = attention.register_module("gate", Linear(d, config.n_heads));
}

void BertLayerImpl::make_local(const BertConfig& config) {
  const int64_t d = config.d_model;
  auto& local = group(*this, "local");
  value_ = local.register_module("value", Linear(d, d));
  conv_ = local.register_parameter("conv", torch::zeros({kLocalTaps, d}));
  output_ = local.register_module("output", Linear(d, d));
}

torch::Tensor BertLayerImpl::mix(const torch::Tensor& x, const torch::Tensor& bias,
                                 const AttentionTerms& terms, std::span<const int32_t> heads_off) {
  return value_ ? convolve(x, bias, terms.queries) : attend(x, bias, terms, heads_off);
}

torch::Tensor BertLayerImpl::queries_keys_values(const torch::Tensor& x,
                                                 const torch::Tensor& bias) {
  const torch::Tensor qkv = project(qkv_, x, x.scalar_type());
  return conv_.defined() ? sequence_convolution(qkv, conv_, bias) : qkv;
}

torch::Tensor BertLayerImpl::offset_bias(const torch::Tensor& x) {
  torch::Tensor offsets;
  if (offsets_.defined()) {
    const int64_t length = x.size(1);
    const torch::Tensor buckets = buckets_.slice(0, longest_ - length, longest_ + length - 1);
    offsets = has_cpu_kernels(offsets_) ? offsets_.index_select(1, buckets)
                                        : rows_of_few(offsets_.t(), buckets).t();
  }
  if (!causal_) return offsets;
  const torch::Tensor later = causal_offsets(n_heads_, x.size(1), x.device());
  return offsets.defined() ? offsets + later : later;
}

torch::Tensor BertLayerImpl::attention(const torch::Tensor& x, const torch::Tensor& bias) {
  if (value_) return {};
  AttentionTerms terms;
  terms.offset_bias = offset_bias(x);
  return attention_probabilities(queries_keys_values(x, bias), bias, n_heads_, terms);
}

torch::Tensor BertLayerImpl::attend(const torch::Tensor& x, const torch::Tensor& bias,
                                    AttentionTerms terms, std::span<const int32_t> heads_off) {
  const auto type = x.scalar_type();
  terms.offset_bias = offset_bias(x);
  torch::Tensor context = self_attention(queries_keys_values(x, bias), bias, n_heads_, terms);
  if (gate_) {
    const torch::Tensor read = terms.queries.defined() ? at_positions(x, terms.queries) : x;
    context = gate_heads(context, project(gate_, read, type));
  }
  const int64_t width = context.size(2) / n_heads_;
  if (!heads_off.empty()) context = context.clone();
  for (const int32_t head : heads_off) context.narrow(2, head * width, width).zero_();
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
  return project(outer_, gated_ffn_ ? geglu(inner) : activate(inner, activation_), type);
}

}  // namespace minibert

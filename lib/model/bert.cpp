#include "model/bert.h"

#include <algorithm>

#include "core/error.h"
#include "model/bert_init.h"
#include "model/init.h"
#include "model/module_parts.h"
#include "model/ops/embedding.h"
#include "model/ops/residual_norm.h"
#include "model/ops/weight_casts.h"

namespace minibert {
namespace {

using torch::nn::LayerNorm;
using torch::nn::Linear;

constexpr double kPaddingBias = -1e9;

}  // namespace

std::shared_ptr<Encoder> make_encoder(const BertConfig& config) {
  return std::make_shared<BertEncoder>(config);
}

BertEncoder::BertEncoder(const BertConfig& config) : config_(config) {
  const int64_t d = config.d_model, e = config.embedding_size;
  auto& embeddings = group(*this, "embeddings");
  token_ = embeddings.register_module("token", torch::nn::Embedding(config.vocab_size, e));
  if (config.position == "table")
    position_ =
        embeddings.register_module("position", torch::nn::Embedding(config.max_positions, e));
  segment_ = embeddings.register_module("segment", torch::nn::Embedding(config.segments, e));
  embedding_norm_ = embeddings.register_module("norm", torch_layer_norm(e, config.layer_norm_eps));
  if (e != d) projection_ = embeddings.register_module("projection", Linear(e, d));
  auto& layers = group(*this, "layers");
  for (int64_t i = 0; i < stored_layers(config); ++i)
    layers_.push_back(layers.register_module(std::to_string(i), BertLayer(config, i)));
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
  if (config_.weight_init == "pytorch")
    fill_uniform(weight, pytorch_bound(weight), seed, name);
  else
    fill_truncated_normal(std::move(weight), config_.init_std, seed, name);
}

Flops BertEncoder::flops(const PassShape& shape) const {
  const int64_t d = config_.d_model, all = shape.rows * shape.length;
  Flops out;
  if (projection_) out += dense(all, config_.embedding_size, d);
  for (int64_t i = 0; i < config_.n_layers; ++i) {
    // The last layer makes no more than is read of it, but from all positions.
    const int64_t made = i + 1 == config_.n_layers ? shape.rows * shape.read : all;
    out += layer_flops(config_, i, all, made, shape.length);
  }
  return out;
}

BertLayer& BertEncoder::layer(int64_t application) {
  return layers_[static_cast<size_t>(std::min(application, stored_layers(config_) - 1))];
}

// The weights that meet activations in the compute type.
std::vector<torch::Tensor> BertEncoder::cast_weights() const {
  std::vector<torch::Tensor> out;
  for (const auto& module : modules(/*include_self=*/false)) {
    if (const auto* dense = module->as<torch::nn::Linear>()) {
      out.insert(out.end(), {dense->weight, dense->bias});
    } else if (const auto* norm = module->as<LayerNorm>();
               norm != nullptr && norm != embedding_norm_.get()) {
      out.insert(out.end(), {norm->weight, norm->bias});
    }
  }
  return out;
}

torch::Tensor BertEncoder::encode(const torch::Tensor& ids, const torch::Tensor& segments) {
  return encode_at(ids, segments, torch::Tensor());
}

torch::Tensor BertEncoder::encode_at(const torch::Tensor& ids, const torch::Tensor& segments,
                                     const torch::Tensor& queries) {
  const int64_t length = ids.size(1);
  if (length > config_.max_positions)
    throw Error("the input has " + std::to_string(length) + " pieces, the model reads at most " +
                std::to_string(config_.max_positions));
  const WeightCasts casts(cast_weights(), context_.compute_type);
  const torch::Tensor sums_BSE =
      embedding_sum(ids, segments, token_->weight, position_ ? position_->weight : torch::Tensor(),
                    segment_->weight);
  torch::Tensor x = layer_norm(sums_BSE, embedding_norm_).to(context_.compute_type);
  if (projection_) x = project(projection_, x, context_.compute_type);
  x = keyed_dropout(x, dropout(), context_.dropout.next());
  const torch::Tensor bias_BS = ids.eq(0).to(torch::kFloat32) * kPaddingBias;
  return final_norm_ ? pre_norm_layers(x, bias_BS, queries) : post_norm_layers(x, bias_BS, queries);
}

EncoderTrace BertEncoder::trace(const torch::Tensor& ids, const torch::Tensor& segments) {
  EncoderTrace trace;
  trace_ = &trace;
  try {
    trace.states.push_back(encode(ids, segments));
  } catch (...) {
    trace_ = nullptr;
    throw;
  }
  trace_ = nullptr;
  return trace;
}

// A model without dropout of probabilities asks for no key, so that its other masks stay the same.
AttentionTerms BertEncoder::attention_terms(const torch::Tensor& queries) {
  AttentionTerms terms;
  terms.queries = queries;
  if (is_training() && config_.attention_dropout > 0) {
    terms.dropout = config_.attention_dropout;
    terms.dropout_key = context_.dropout.next();
  }
  return terms;
}

void BertEncoder::intervene(Intervention what) {
  const auto layers = static_cast<int32_t>(config_.n_layers);
  const std::string error = misfit(what, {layers, static_cast<int32_t>(config_.local_layers),
                                          static_cast<int32_t>(config_.n_heads)});
  if (!error.empty()) throw usage_error(error);
  changed_ = std::move(what);
}

// The output of a layer's mixing part, before the residual sum.
torch::Tensor BertEncoder::mix(int64_t application, const torch::Tensor& x,
                               const torch::Tensor& bias, const torch::Tensor& queries) {
  std::vector<int32_t> heads_off;
  for (const Intervention::Head& off : changed_.heads)
    if (off.layer == application) heads_off.push_back(off.head);
  const torch::Tensor mixed = layer(application)->mix(x, bias, attention_terms(queries), heads_off);
  return changed_.layer_is_off(static_cast<int32_t>(application)) ? mixed.zero_() : mixed;
}

torch::Tensor BertEncoder::feed_forward(int64_t application, const torch::Tensor& x) {
  const torch::Tensor added = layer(application)->feed_forward(x);
  return changed_.layer_is_off(static_cast<int32_t>(application)) ? added.zero_() : added;
}

// Puts the patched states of a stage into x, which has the rows of queries_BQ where they are defined; whether
// there were any.
bool BertEncoder::patch(int64_t stage, const torch::Tensor& queries, torch::Tensor* x) {
  bool changed = false;
  for (const Intervention::Patch& one : changed_.patches) {
    if (one.stage != stage) continue;
    if (!changed) *x = x->clone();
    changed = true;
    const torch::Tensor state_D = torch::tensor(one.state_D).to(x->options());
    for (int64_t row = 0; row < x->size(1); ++row) {
      const int64_t position = queries.defined() ? queries[0][row].item<int64_t>() : row;
      if (position == one.position) x->select(1, row).copy_(state_D);
    }
  }
  return changed;
}

// Traces a layer's input and the input of its attention.
void BertEncoder::tell(BertLayer& layer, const torch::Tensor& state, const torch::Tensor& input,
                       const torch::Tensor& bias) {
  trace_->states.push_back(state);
  trace_->attention.push_back(layer->attention(input, bias));
}

torch::Tensor BertEncoder::post_norm_layers(torch::Tensor x, const torch::Tensor& bias,
                                            const torch::Tensor& queries) {
  const auto add = [&](const torch::Tensor& branch, const LayerNorm& norm) {
    x = residual_norm(x, branch, norm, dropout(), context_.dropout.next()).y;
  };
  patch(0, {}, &x);
  for (int64_t i = 0; i < config_.n_layers; ++i) {
    const torch::Tensor chosen = i + 1 == config_.n_layers ? queries : torch::Tensor();
    if (trace_) tell(layer(i), x, x, bias);
    const torch::Tensor mixed = mix(i, x, bias, chosen);
    if (chosen.defined()) x = at_positions(x, chosen);
    add(mixed, layer(i)->attention_norm);
    add(feed_forward(i, x), layer(i)->ffn_norm);
    patch(i + 1, chosen, &x);
  }
  if (trace_) trace_->residual = x;
  return x;
}

torch::Tensor BertEncoder::pre_norm_layers(torch::Tensor x, const torch::Tensor& bias,
                                           const torch::Tensor& queries) {
  patch(0, {}, &x);
  torch::Tensor y = layer_norm(x, layer(0)->attention_norm);
  const auto add = [&](const torch::Tensor& branch, const LayerNorm& norm) {
    const ResidualNorm out = residual_norm(x, branch, norm, dropout(), context_.dropout.next());
    x = out.sum, y = out.y;
  };
  for (int64_t i = 0; i < config_.n_layers; ++i) {
    const bool last = i + 1 == config_.n_layers;
    const torch::Tensor chosen = last ? queries : torch::Tensor();
    if (trace_) tell(layer(i), x, y, bias);
    const torch::Tensor mixed = mix(i, y, bias, chosen);
    if (chosen.defined()) x = at_positions(x, chosen);
    add(mixed, layer(i)->ffn_norm);
    const LayerNorm& next = last ? final_norm_ : layer(i + 1)->attention_norm;
    add(feed_forward(i, y), next);
    if (patch(i + 1, chosen, &x)) y = layer_norm(x, next);
  }
  if (trace_) trace_->residual = x;
  return y;
}

torch::Tensor BertEncoder::pooled(const torch::Tensor& hidden, const torch::Tensor& ids) const {
  torch::Tensor row =
      torch::arange(hidden.size(0), hidden.options().dtype(torch::kInt64)) * hidden.size(1);
  if (config_.causal) row = row + ids.ne(0).sum(1) - 1;
  return gather_rows(hidden, row).to(torch::kFloat32);
}

}  // namespace minibert

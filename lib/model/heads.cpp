#include "model/heads.h"

#include <algorithm>

#include "model/module_parts.h"
#include "model/ops/dropout.h"
#include "model/ops/linear.h"
#include "model/ops/residual_norm.h"

namespace minibert {
namespace {

using torch::nn::Linear;
using torch::nn::LinearOptions;

// A dense layer of the head `head`, as its encoder starts one; the bias, where there is one, is 0.
void initialize(const Linear& layer, const Encoder& encoder, uint64_t seed,
                const std::string& name) {
  torch::NoGradGuard no_grad;
  encoder.initialize_dense(layer->weight, seed, name + ".weight");
  if (layer->bias.defined()) layer->bias.zero_();
}

Flops flops_of(const torch::Tensor& weight_NK, int64_t rows) {
  return dense(rows, weight_NK.size(1), weight_NK.size(0));
}

}  // namespace

MlmHead::MlmHead(const BertConfig& config)
    : width_(config.d_model),
      embedding_size_(config.embedding_size),
      vocab_size_(config.vocab_size),
      activation_(activation_named(config.activation)) {
  if (config.mlm_transform) {
    transform_ = register_module("transform", Linear(config.d_model, config.embedding_size));
    norm_ = register_module("norm", torch_layer_norm(config.embedding_size, config.layer_norm_eps));
  }
  if (config.mlm_bias) bias_ = register_parameter("bias", torch::zeros({config.vocab_size}));
  if (!config.mlm_tied)
    decoder_ =
        group(*this, "decoder")
            .register_parameter("weight", torch::zeros({config.vocab_size, config.embedding_size}));
  if (config.mlm_context > 0)
    context_ = register_module(
        "context", std::make_shared<ContextBonus>(config.embedding_size, config.mlm_context));
}

void MlmHead::initialize(const Encoder& encoder, uint64_t seed) {
  torch::NoGradGuard no_grad;
  if (transform_) {
    minibert::initialize(transform_, encoder, seed, "mlm.transform");
    norm_->weight.fill_(1);
    norm_->bias.zero_();
  }
  if (bias_.defined()) bias_.zero_();
  if (decoder_.defined()) encoder.initialize_dense(decoder_, seed, "mlm.decoder.weight");
  if (context_) {
    minibert::initialize(context_->query, encoder, seed, "mlm.context.query");
    // No bonus at first.
    context_->key->weight.zero_();
    context_->key->bias.zero_();
  }
}

void MlmHead::set_output_bias(const std::vector<double>& log_probability) {
  torch::NoGradGuard no_grad;
  bias_.copy_(torch::tensor(log_probability, torch::kFloat32));
}

MlmOutput MlmHead::operator()(const torch::Tensor& hidden, const torch::Tensor& labels,
                              const torch::Tensor& token, const ShownPieces& shown,
                              const SoftTargets* soft) const {
  const PieceScores own = scores(hidden, token, shown);
  return tied_cross_entropy(own.x, own.weight, own.bias, labels, own.context, soft);
}

PieceScores MlmHead::scores(const torch::Tensor& hidden, const torch::Tensor& token,
                            const ShownPieces& shown) const {
  const torch::Tensor x_ME = transformed(hidden);
  return {x_ME, output(token), bias_, bonus(x_ME, token, shown)};
}

torch::Tensor MlmHead::logits(const torch::Tensor& hidden, const torch::Tensor& token,
                              const ShownPieces& shown) const {
  const PieceScores own = scores(hidden, token, shown);
  const torch::Tensor logits_MV = linear(own.x, own.weight, own.bias, torch::kFloat32);
  if (!own.context.scores.defined()) return logits_MV;
  return logits_MV.scatter_add(1, shown.ids.index_select(0, shown.example), own.context.scores);
}

torch::Tensor MlmHead::transformed(const torch::Tensor& hidden) const {
  if (!transform_) return hidden;
  const torch::Tensor dense_ME = project(transform_, hidden, hidden.scalar_type());
  return layer_norm(activate(dense_ME, activation_), norm_);
}

Flops MlmHead::flops(int64_t predicted, const PassShape& shown) const {
  Flops out = dense(predicted, embedding_size_, vocab_size_);
  if (transform_) out += dense(predicted, width_, embedding_size_);
  if (context_) {
    const int64_t rank = context_->key->weight.size(0);
    out += dense(predicted, embedding_size_, rank);
    out += dense(shown.rows * shown.length, embedding_size_, rank);
    out += dense(predicted, shown.length, rank);
  }
  return out;
}

SentenceHead::SentenceHead(int64_t width, bool logits, bool bias) {
  dense_ = register_module("dense", Linear(width, width));
  if (logits) output_ = register_module("output", Linear(LinearOptions(width, 2).bias(bias)));
}

void SentenceHead::initialize(const Encoder& encoder, uint64_t seed) {
  minibert::initialize(dense_, encoder, seed, "nsp.dense");
  if (output_) minibert::initialize(output_, encoder, seed, "nsp.output");
}

torch::Tensor SentenceHead::pooler(const torch::Tensor& pooled) {
  return torch::tanh(dense_(pooled));
}

torch::Tensor SentenceHead::operator()(const torch::Tensor& pooled) {
  return output_(pooler(pooled));
}

Flops SentenceHead::flops(int64_t rows) const {
  return flops_of(dense_->weight, rows) + flops_of(output_->weight, rows);
}

SpanHead::SpanHead(int64_t width, int64_t answer_lengths) {
  weight_ = register_parameter("weight", torch::zeros({2, width}));
  bias_ = register_parameter("bias", torch::zeros({2}));
  if (answer_lengths > 0)
    length_ = register_parameter("length", torch::zeros({answer_lengths}), /*requires_grad=*/false);
}

void SpanHead::initialize(const Encoder& encoder, uint64_t seed) {
  torch::NoGradGuard no_grad;
  encoder.initialize_dense(weight_, seed, "qa.weight");
  bias_.zero_();
}

torch::Tensor SpanHead::operator()(const torch::Tensor& hidden) const {
  return torch::nn::functional::linear(hidden.to(torch::kFloat32), weight_, bias_);
}

Flops SpanHead::flops(int64_t positions) const { return flops_of(weight_, positions); }

void SpanHead::set_answer_lengths(const std::vector<uint32_t>& lengths) {
  if (!length_.defined()) return;
  const auto size = static_cast<size_t>(length_.size(0));
  std::vector<float> count(size, 1);  // add-one smoothing
  for (const uint32_t length : lengths) ++count[std::min<size_t>(length, size) - 1];
  const auto total = static_cast<float>(size + lengths.size());
  torch::NoGradGuard no_grad;
  length_.copy_(torch::log(torch::tensor(count) / total));
}

std::vector<float> SpanHead::length_scores() const {
  if (!length_.defined()) return {};
  const torch::Tensor scores = length_.to(torch::kCPU);
  return {scores.data_ptr<float>(), scores.data_ptr<float>() + scores.numel()};
}

SequenceHead::SequenceHead(int64_t width, int64_t outputs, bool pooler, double dropout)
    : dropout_(dropout) {
  if (pooler) dense_ = register_module("dense", Linear(width, width));
  output_ = register_module("output", Linear(width, outputs));
}

void SequenceHead::initialize(const Encoder& encoder, uint64_t seed) {
  if (dense_) minibert::initialize(dense_, encoder, seed, "sequence.dense");
  minibert::initialize(output_, encoder, seed, "sequence.output");
}

torch::Tensor SequenceHead::operator()(const torch::Tensor& pooled, uint64_t key) {
  const torch::Tensor x_BD = dense_ ? torch::tanh(dense_(pooled)) : pooled;
  return output_(keyed_dropout(x_BD, is_training() ? dropout_ : 0.0, key));
}

Flops SequenceHead::flops(int64_t rows) const {
  return (dense_ ? flops_of(dense_->weight, rows) : Flops{}) + flops_of(output_->weight, rows);
}

TagHead::TagHead(int64_t width, int64_t tags, double dropout) : dropout_(dropout) {
  weight_ = register_parameter("weight", torch::zeros({tags, width}));
  bias_ = register_parameter("bias", torch::zeros({tags}));
}

void TagHead::initialize(const Encoder& encoder, uint64_t seed) {
  torch::NoGradGuard no_grad;
  encoder.initialize_dense(weight_, seed, "tag.weight");
  bias_.zero_();
}

torch::Tensor TagHead::operator()(const torch::Tensor& hidden, uint64_t key) const {
  const torch::Tensor x_BSD =
      keyed_dropout(hidden.to(torch::kFloat32), is_training() ? dropout_ : 0.0, key);
  return torch::nn::functional::linear(x_BSD, weight_, bias_);
}

Flops TagHead::flops(int64_t positions) const { return flops_of(weight_, positions); }

}  // namespace minibert

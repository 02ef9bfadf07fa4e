#include "model/bag.h"

#include "model/init.h"
#include "text/tokenizer.h"

namespace minibert {
namespace {

constexpr double kInitialBound = 0.05;

}  // namespace

std::shared_ptr<Encoder> make_encoder(const BagConfig& config) {
  return std::make_shared<BagEncoder>(config);
}

BagEncoder::BagEncoder(const BagConfig& config) : config_(config) {
  token_ = register_module("token", torch::nn::Embedding(2 * config.vocab_size, config.d_model));
}

torch::Tensor BagEncoder::encode(const torch::Tensor& ids, const torch::Tensor& segments) {
  return token_(ids + segments * config_.vocab_size);
}

torch::Tensor BagEncoder::pooled(const torch::Tensor& hidden, const torch::Tensor& ids) const {
  const torch::Tensor counts_BS1 = ids.ne(kPad)
                                       .logical_and(ids.ne(kCls))
                                       .logical_and(ids.ne(kSep))
                                       .to(hidden.dtype())
                                       .unsqueeze(-1);
  return (hidden * counts_BS1).sum(1) / counts_BS1.sum(1).clamp_min(1);
}

void BagEncoder::initialize(uint64_t seed) {
  torch::NoGradGuard no_grad;
  fill_uniform(token_->weight, kInitialBound, seed, prefix() + "token.weight");
}

void BagEncoder::initialize_dense(torch::Tensor weight, uint64_t seed,
                                  const std::string& name) const {
  fill_glorot(std::move(weight), seed, name);
}

}  // namespace minibert

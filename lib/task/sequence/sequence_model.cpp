#include "task/sequence/sequence_model.h"

#include "core/rng.h"

namespace minibert {
namespace {

// [R, S, D], [R, S] -> [R, D] float32.
torch::Tensor mean_of_real(const torch::Tensor& hidden, const torch::Tensor& ids) {
  const torch::Tensor real_RS1 = ids.ne(0).to(torch::kFloat32).unsqueeze(-1);
  return (hidden.to(torch::kFloat32) * real_RS1).sum(1) / real_RS1.sum(1);
}

}  // namespace

SequenceModel::SequenceModel(const ModelConfig& config, const SequenceHeadConfig& head,
                             int64_t outputs)
    : Model(config.make()),
      mean_(head.pooling == "mean"),
      head_(add_head(std::make_shared<SequenceHead>(
          encoder().width(), outputs, encoder().has_pooler() && !mean_, head.dropout))) {}

void SequenceModel::initialize(uint64_t seed) {
  encoder().initialize(seed);
  head_->initialize(encoder(), seed);
}

torch::Tensor SequenceModel::outputs(const torch::Tensor& ids, const torch::Tensor& segments) {
  const torch::Tensor out = unit_outputs(ids, segments, 0);
  return unit_.is_one() ? out : out.to(torch::kFloat64) * unit_.deviation + unit_.mean;
}

torch::Tensor SequenceModel::unit_outputs(const torch::Tensor& ids, const torch::Tensor& segments,
                                          uint64_t key) {
  encoder().set_dropout_key(key);
  const torch::Tensor hidden = encoder().encode(ids, segments);
  const torch::Tensor pooled = mean_ ? mean_of_real(hidden, ids) : encoder().pooled(hidden, ids);
  return (*head_)(pooled.to(torch::kFloat32), derive_seed(key, "head"));
}

}  // namespace minibert

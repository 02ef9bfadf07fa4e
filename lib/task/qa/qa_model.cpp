#include "task/qa/qa_model.h"

namespace minibert {

QaModel::QaModel(const ModelConfig& config, int64_t answer_lengths)
    : Model(config.make()),
      head_(add_head(std::make_shared<SpanHead>(encoder().width(), answer_lengths))) {}

void QaModel::initialize(uint64_t seed) {
  encoder().initialize(seed);
  head_->initialize(encoder(), seed);
}

torch::Tensor QaModel::logits(const torch::Tensor& ids, const torch::Tensor& segments) {
  const torch::Tensor logits_BS2 = (*head_)(encoder().encode(ids, segments));
  return logits_BS2.masked_fill(ids.eq(0).unsqueeze(-1), -1e9);
}

}  // namespace minibert

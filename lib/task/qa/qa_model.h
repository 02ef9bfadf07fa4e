// An encoder that answers questions: start and end logits of every piece.
#pragma once

#include <memory>

#include "model/heads.h"

namespace minibert {

class QaModel : public Model {
 public:
  // answer_lengths: see SpanHead; 0: lengths do not count, as in the course.
  QaModel(const ModelConfig& config, int64_t answer_lengths);

  // Fills all weights from the seed alone.
  void initialize(uint64_t seed);
  // ids, segments [B, S] int64 -> [B, S, 2] float32 start and end logits, -1e9 at padding.
  torch::Tensor logits(const torch::Tensor& ids, const torch::Tensor& segments);
  SpanHead& head() { return *head_; }

 private:
  std::shared_ptr<SpanHead> head_;
};

}  // namespace minibert

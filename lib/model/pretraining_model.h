// A BERT with the heads it is pretrained with. Shapes as in heads.h.
#pragma once

#include <memory>
#include <vector>

#include "model/bert.h"
#include "model/heads.h"

namespace minibert {

class PretrainingModel : public Model {
 public:
  // Has no sentence head where the text has no sentence task, apart from its pooler where the
  // configuration asks for one.
  explicit PretrainingModel(const BertConfig& config, bool sentence_head = true);

  // Fills all weights from the seed alone.
  void initialize(uint64_t seed);
  // As BertEncoder's, at queries_BQ alone where they are defined.
  torch::Tensor encode(const torch::Tensor& ids, const torch::Tensor& segments,
                       const torch::Tensor& queries = {});
  // Computes the loss at positions_M of hidden_BSD (into B*S; of hidden_BQD into B*Q) against
  // labels_M and, where `soft` is not null, against a teacher's scores of these positions. ids_BS
  // is what the model was shown.
  MlmOutput mlm(const torch::Tensor& hidden, const torch::Tensor& positions,
                const torch::Tensor& labels, const torch::Tensor& ids,
                const SoftTargets* soft = nullptr);
  // Returns the parts of the scores of these positions, for a student of this model.
  PieceScores mlm_scores(const torch::Tensor& hidden, const torch::Tensor& positions,
                         const torch::Tensor& ids);
  // Returns the scores of every piece at these positions before the softmax, [M, V] float32.
  torch::Tensor mlm_logits(const torch::Tensor& hidden, const torch::Tensor& positions,
                           const torch::Tensor& ids);
  // hidden_BSD, or BQD with [CLS] first, -> logits_B2; 1 means that B follows A. Needs the sentence
  // head.
  torch::Tensor nsp(const torch::Tensor& hidden);
  bool has_nsp() const { return nsp_ && nsp_->has_logits(); }
  // hidden_BSD -> [B, D], the pooler's vector. Needs the pooler.
  torch::Tensor pooler(const torch::Tensor& hidden);
  bool has_pooler() const { return static_cast<bool>(nsp_); }

  // What a step on so many rows costs, with so many pieces to predict; `judges`: with the sentence task.
  Flops flops(const PassShape& shape, int64_t predicted, bool judges) const;

  BertEncoder& bert() { return *bert_; }
  MlmHead& mlm_head() { return *mlm_; }
  const BertConfig& config() const { return bert_->config(); }

 private:
  explicit PretrainingModel(std::shared_ptr<BertEncoder> bert, bool sentence_head);

  std::shared_ptr<BertEncoder> bert_;
  std::shared_ptr<MlmHead> mlm_;
  std::shared_ptr<SentenceHead> nsp_;
};

}  // namespace minibert

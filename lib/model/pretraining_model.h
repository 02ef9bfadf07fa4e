// A BERT with the heads of pretraining. Shapes as in heads.h.
#pragma once

#include <memory>
#include <vector>

#include "model/bert.h"
#include "model/heads.h"

namespace minibert {

class PretrainingModel : public Model {
 public:
  // Without `sentence_head` (a text without sentence task) there is none, except its pooler if the
  // configuration has one.
  explicit PretrainingModel(const BertConfig& config, bool sentence_head = true);

  // Fills all weights from the seed alone.
  void initialize(uint64_t seed);
  // Like BertEncoder's; only at queries_BQ if defined.
  torch::Tensor encode(const torch::Tensor& ids, const torch::Tensor& segments,
                       const torch::Tensor& queries = {});
  // Computes the loss at positions_M (into B*S of hidden_BSD, or B*Q of hidden_BQD) against
  // labels_M and, unless `soft` is null, a teacher's scores of them. ids_BS: the model's input.
  MlmOutput mlm(const torch::Tensor& hidden, const torch::Tensor& positions,
                const torch::Tensor& labels, const torch::Tensor& ids,
                const SoftTargets* soft = nullptr);
  // Returns the parts of the scores at these positions, for a student of this model.
  PieceScores mlm_scores(const torch::Tensor& hidden, const torch::Tensor& positions,
                         const torch::Tensor& ids);
  // Returns the scores of every piece at these positions before the softmax, [M, V] float32.
  torch::Tensor mlm_logits(const torch::Tensor& hidden, const torch::Tensor& positions,
                           const torch::Tensor& ids);
  // hidden_BSD, or BQD with [CLS] first, -> logits_B2; class 1: B follows A. Needs the head.
  torch::Tensor nsp(const torch::Tensor& hidden);
  bool has_nsp() const { return nsp_ && nsp_->has_logits(); }
  // hidden_BSD -> [B, D], the pooler's vector. Needs the pooler.
  torch::Tensor pooler(const torch::Tensor& hidden);
  bool has_pooler() const { return static_cast<bool>(nsp_); }

  // The cost of a step that predicts `predicted` pieces; `judges`: with the sentence task.
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

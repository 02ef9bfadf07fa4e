#include "model/pretraining_model.h"

#include "model/ops/embedding.h"

namespace minibert {
namespace {

ShownPieces shown_to(const torch::Tensor& hidden, const torch::Tensor& positions,
                     const torch::Tensor& ids) {
  return {ids, torch::div(positions, hidden.size(1), /*rounding_mode=*/"floor")};
}

}  // namespace

PretrainingModel::PretrainingModel(const BertConfig& config, bool sentence_head)
    : PretrainingModel(std::make_shared<BertEncoder>(config), sentence_head) {}

PretrainingModel::PretrainingModel(std::shared_ptr<BertEncoder> bert, bool sentence_head)
    : Model(bert), bert_(std::move(bert)) {
  mlm_ = add_head(std::make_shared<MlmHead>(config()));
  if (sentence_head || config().pooler)
    nsp_ =
        add_head(std::make_shared<SentenceHead>(bert_->width(), sentence_head, config().nsp_bias));
}

void PretrainingModel::initialize(uint64_t seed) {
  bert_->initialize(seed);
  mlm_->initialize(*bert_, seed);
  if (nsp_) nsp_->initialize(*bert_, seed);
}

torch::Tensor PretrainingModel::encode(const torch::Tensor& ids, const torch::Tensor& segments,
                                       const torch::Tensor& queries) {
  return bert_->encode_at(ids, segments, queries);
}

MlmOutput PretrainingModel::mlm(const torch::Tensor& hidden, const torch::Tensor& positions,
                                const torch::Tensor& labels, const torch::Tensor& ids,
                                const SoftTargets* soft) {
  return (*mlm_)(gather_rows(hidden, positions), labels, bert_->token_embedding(),
                 shown_to(hidden, positions, ids), soft);
}

PieceScores PretrainingModel::mlm_scores(const torch::Tensor& hidden,
                                         const torch::Tensor& positions, const torch::Tensor& ids) {
  return mlm_->scores(gather_rows(hidden, positions), bert_->token_embedding(),
                      shown_to(hidden, positions, ids));
}

torch::Tensor PretrainingModel::mlm_logits(const torch::Tensor& hidden,
                                           const torch::Tensor& positions,
                                           const torch::Tensor& ids) {
  return mlm_->logits(gather_rows(hidden, positions), bert_->token_embedding(),
                      shown_to(hidden, positions, ids));
}

torch::Tensor PretrainingModel::pooler(const torch::Tensor& hidden) {
  return nsp_->pooler(bert_->pooled(hidden, {}));
}

torch::Tensor PretrainingModel::nsp(const torch::Tensor& hidden) {
  return (*nsp_)(bert_->pooled(hidden, {}));
}

Flops PretrainingModel::flops(const PassShape& shape, int64_t predicted, bool judges) const {
  Flops out = bert_->flops(shape);
  if (predicted > 0) out += mlm_->flops(predicted, shape);
  if (judges) out += nsp_->flops(shape.rows);
  return out;
}

}  // namespace minibert

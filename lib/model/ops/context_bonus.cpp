#include "model/ops/context_bonus.h"

#include "text/pieces.h"

namespace minibert {
namespace {

// ids_BS -> [B, S] float32: log(1 + n) where a piece stands first, 0 elsewhere and at special pieces.
torch::Tensor weights_of(const torch::Tensor& ids) {
  const torch::Tensor same_BSS = ids.unsqueeze(2).eq(ids.unsqueeze(1));
  const torch::Tensor count = same_BSS.sum(-1).to(torch::kFloat32);
  const torch::Tensor repeated = same_BSS.tril(-1).any(-1);
  return count.log1p().masked_fill(repeated.logical_or(ids.lt(kFirstOrdinaryPiece)), 0);
}

}  // namespace

ContextBonus::ContextBonus(int64_t embedding_size, int64_t rank) {
  query = register_module("query", torch::nn::Linear(embedding_size, rank));
  key = register_module("key", torch::nn::Linear(embedding_size, rank));
}

ContextScores ContextBonus::operator()(const torch::Tensor& x, const torch::Tensor& token,
                                       const ShownPieces& shown) {
  const torch::Tensor query_MR = query(x.to(query->weight.scalar_type()));
  const torch::Tensor key_BSR = key(torch::nn::functional::embedding(shown.ids, token));
  const torch::Tensor weighted_BSR = key_BSR * weights_of(shown.ids).unsqueeze(-1);
  const torch::Tensor key_MSR = weighted_BSR.index_select(0, shown.example);
  return {shown, torch::matmul(key_MSR, query_MR.unsqueeze(-1)).squeeze(-1)};
}

}  // namespace minibert

// Adds a bonus to the scores of pieces that the input shows, since text repeats itself. A gated
// cache (Grave et al. 2017, arXiv 1612.04426) whose gate is a product of low rank, so that it costs
// next to nothing. Shapes: B batch, S positions, M rows to predict, E embedding size, V vocabulary,
// R rank.
#pragma once

#include "core/torch.h"

namespace minibert {

// The pieces that each row of a prediction can see.
struct ShownPieces {
  torch::Tensor ids;      // [B, S] int64; special pieces count for nothing
  torch::Tensor example;  // [M] int64: which of the B a row is of
};

// logits[m, ids[example[m], s]] += scores[m, s]; a piece's later occurrences have score 0.
struct ContextScores {
  ShownPieces shown;
  torch::Tensor scores;  // [M, S] float32; undefined: no bonus
};

// logits[m, v] += log(1 + n(v)) * query(x[m]) . key(token[v]), n(v) how often the input shows piece
// v. Parameters: query.{weight [R, E], bias [R]}, key.{weight [R, E], bias [R]}.
class ContextBonus : public torch::nn::Module {
 public:
  ContextBonus(int64_t embedding_size, int64_t rank);
  // x_ME, token_VE -> the scores of what is shown.
  ContextScores operator()(const torch::Tensor& x, const torch::Tensor& token,
                           const ShownPieces& shown);

  torch::nn::Linear query{nullptr}, key{nullptr};
};

}  // namespace minibert

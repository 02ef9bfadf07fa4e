// Adds a bonus to the scores of pieces that the input shows, because text repeats itself: a gated
// cache (Grave et al. 2017, arXiv 1612.04426) whose gate is a cheap product of low rank. Shapes: B
// batch, S positions, M rows to predict, E embedding size, V vocabulary, R rank.
#pragma once

#include "core/torch.h"

namespace minibert {

// The pieces that each predicted row can see.
struct ShownPieces {
  torch::Tensor ids;      // [B, S] int64; special pieces do not count
  torch::Tensor example;  // [M] int64: the row's index in B
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
  // x_ME, token_VE -> the scores of the shown pieces.
  ContextScores operator()(const torch::Tensor& x, const torch::Tensor& token,
                           const ShownPieces& shown);

  torch::nn::Linear query{nullptr}, key{nullptr};
};

}  // namespace minibert

// The masked-LM loss over a large vocabulary without storing the logits: blocks of rows are
// decoded, scored and differentiated one after the other, so that memory holds one block.
#pragma once

#include "core/torch.h"
#include "model/ops/context_bonus.h"

namespace minibert {

// The parts of the scores of V pieces for M rows: x times weight transposed, plus bias if defined,
// plus the bonus of shown pieces if there is one.
struct PieceScores {
  torch::Tensor x, weight, bias;  // [M, E], [V, E], [V]
  ContextScores context;
};

// A teacher's top pieces for each row, int64 [M, K], and their probabilities at the temperature,
// float32 [M, K], which sum to 1; those of a repeated piece add up.
struct SparseTargets {
  torch::Tensor pieces, probabilities;
};

// A teacher's scores of the same rows and pieces (its x in the student's type) and the weights of
// the loss to train (Hinton et al. 2015): soft * T^2 * KL(teacher || student, both at temperature
// T) + hard * cross-entropy, a mean over the rows. `sparse`, if defined, replaces `scores`.
struct SoftTargets {
  PieceScores scores;
  double temperature, soft, hard;
  SparseTargets sparse = {};
};

struct MlmOutput {
  torch::Tensor loss;     // mean cross-entropy over the M rows, a float32 scalar
  torch::Tensor correct;  // rows whose best piece is the label, an int64 scalar
  torch::Tensor taught;   // with soft targets: the loss to train; `loss` then has no gradient
};

// Scores x_ME against labels_M (int64): x times weight_VE transposed, plus bias_V if defined, plus
// the bonus of shown pieces, if any; unless `soft` is null, also against a teacher. Matrix products
// run in x's type (float32 or bfloat16), sums and the loss in float32. An empty M gives loss 0.
MlmOutput tied_cross_entropy(const torch::Tensor& x, const torch::Tensor& weight,
                             const torch::Tensor& bias, const torch::Tensor& labels,
                             const ContextScores& context = {}, const SoftTargets* soft = nullptr);

}  // namespace minibert

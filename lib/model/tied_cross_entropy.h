// The masked-LM loss over a large vocabulary without keeping the logits: blocks of rows are
// decoded, scored and differentiated one after the other, so that memory stays at one block.
#pragma once

#include "machine/torch.h"
#include "model/context_bonus.h"

namespace minibert {

struct MlmOutput {
  torch::Tensor loss;     // mean cross-entropy over the M rows, a float32 scalar
  torch::Tensor correct;  // rows whose best piece is the label, an int64 scalar
};

// x_ME times weight_VE transposed, plus bias_V where it is defined, plus the bonus of what the input
// shows where there is one, against labels_M (int64).
// The matrix products run in x's type (float32 or bfloat16), sums and the loss in float32.
// An empty M gives loss 0.
MlmOutput tied_cross_entropy(const torch::Tensor& x, const torch::Tensor& weight,
                             const torch::Tensor& bias, const torch::Tensor& labels,
                             const ContextScores& context = {});

}  // namespace minibert

// One LSTM layer (Hochreiter, Schmidhuber 1997; forget gate: Gers et al. 2000) over whole texts.
#pragma once

#include "core/torch.h"

namespace minibert {

// A layer's weights as in torch::nn::LSTM, H its width: [4H, D], [4H, H], [4H], [4H].
struct LstmWeights {
  torch::Tensor input, recurrent, input_bias, recurrent_bias;
};

// x_BSD, read from left to right from a zero state -> [B, S, H] in x's type. In float32 on the CPU,
// one product serves all steps that do not wait for one another, and one product gives each
// weight's gradient. Threads share the texts; the order of sums does not depend on their number.
torch::Tensor lstm_layer(const torch::Tensor& x, const LstmWeights& weights);

}  // namespace minibert

// A layer of an LSTM (Hochreiter, Schmidhuber 1997; forget gate: Gers et al. 2000) over whole texts.
#pragma once

#include "core/torch.h"

namespace minibert {

// A layer's weights as torch::nn::LSTM has them, H its width: [4H, D], [4H, H], [4H], [4H].
struct LstmWeights {
  torch::Tensor input, recurrent, input_bias, recurrent_bias;
};

// x_BSD, read from left to right from a state of zeros -> [B, S, H] in x's type. In float32 on the CPU the products of
// all steps that do not wait for one another are made at once, and the weights' gradients as one product, not one a
// step; texts are shared out to threads, in an order of sums that their number does not change.
torch::Tensor lstm_layer(const torch::Tensor& x, const LstmWeights& weights);

}  // namespace minibert

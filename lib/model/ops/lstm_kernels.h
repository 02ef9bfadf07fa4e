// The elementwise part of an LSTM step, in plain loops that the compiler vectorizes.
#pragma once

#include <cstdint>

namespace minibert::kernels {

// One step of `rows` texts, with contiguous rows. A row has four gates of `width`, in LibTorch's
// order: input, forget, cell, output.
struct LstmStep {
  int64_t rows = 0, width = 0;
  float* gates = nullptr;  // forward: sums in, activated gates out; backward: activated gates
  const float* before = nullptr;    // cells of the previous step; null: 0
  float* cells = nullptr;           // written by forward
  float* hidden = nullptr;          // written by forward
  const float* d_hidden = nullptr;  // backward: total gradient of `hidden`
  float* d_cells = nullptr;  // backward: in, gradient of `cells` from later steps; out, of `before`
  float* d_sums = nullptr;   // backward: gradient of the sums
};

void lstm_step(const LstmStep& step);
void lstm_step_backward(const LstmStep& step);

}  // namespace minibert::kernels

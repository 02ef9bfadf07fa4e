// The elementwise part of an LSTM's step, in plain loops that the compiler vectorizes for the machine at hand.
#pragma once

#include <cstdint>

namespace minibert::kernels {

// One step of `rows` texts, whose rows lie one behind another. Gates, four of `width` a row, in LibTorch's order:
// input, forget, cell, output.
struct LstmStep {
  int64_t rows = 0, width = 0;
  float* gates = nullptr;  // forward: sums in, what the gates let through out; backward: the latter
  const float* before = nullptr;    // cells of the step before; null: 0
  float* cells = nullptr;           // written by forward
  float* hidden = nullptr;          // written by forward
  const float* d_hidden = nullptr;  // backward: gradient of `hidden`, all of it
  float* d_cells =
      nullptr;  // backward: gradient of `cells` from the steps behind in, of `before` out
  float* d_sums = nullptr;  // backward: gradient of the sums
};

void lstm_step(const LstmStep& step);
void lstm_step_backward(const LstmStep& step);

}  // namespace minibert::kernels

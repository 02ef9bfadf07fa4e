#include "model/ops/lstm_kernels.h"

#include "model/ops/kernel_math.h"

namespace minibert::kernels {
namespace {

MINIBERT_INLINE float sigmoid(float x) { return 1.0f / (1.0f + fast_exp(-x)); }
MINIBERT_INLINE float tanh_of(float x) { return 2.0f * sigmoid(2.0f * x) - 1.0f; }

MINIBERT_INLINE void step_body(const LstmStep& a) {
  const int64_t n = a.width;
  for (int64_t row = 0; row < a.rows; ++row) {
    float* in = a.gates + row * 4 * n;
    float *forget = in + n, *cell = forget + n, *out = cell + n;
    float *cells = a.cells + row * n, *hidden = a.hidden + row * n;
    const float* before = a.before != nullptr ? a.before + row * n : nullptr;
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
      in[i] = sigmoid(in[i]);
      forget[i] = sigmoid(forget[i]);
      cell[i] = tanh_of(cell[i]);
      out[i] = sigmoid(out[i]);
      cells[i] = in[i] * cell[i] + (before != nullptr ? forget[i] * before[i] : 0.0f);
      hidden[i] = out[i] * tanh_of(cells[i]);
    }
  }
}

MINIBERT_INLINE void step_backward_body(const LstmStep& a) {
  const int64_t n = a.width;
  for (int64_t row = 0; row < a.rows; ++row) {
    const float* in = a.gates + row * 4 * n;
    const float *forget = in + n, *cell = forget + n, *out = cell + n;
    const float *cells = a.cells + row * n, *d_hidden = a.d_hidden + row * n;
    const float* before = a.before != nullptr ? a.before + row * n : nullptr;
    float* d_cells = a.d_cells + row * n;
    float* d_in = a.d_sums + row * 4 * n;
    float *d_forget = d_in + n, *d_cell = d_forget + n, *d_out = d_cell + n;
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
      const float shown = tanh_of(cells[i]);
      const float d = d_cells[i] + d_hidden[i] * out[i] * (1.0f - shown * shown);
      d_in[i] = d * cell[i] * in[i] * (1.0f - in[i]);
      d_forget[i] = before != nullptr ? d * before[i] * forget[i] * (1.0f - forget[i]) : 0.0f;
      d_cell[i] = d * in[i] * (1.0f - cell[i] * cell[i]);
      d_out[i] = d_hidden[i] * shown * out[i] * (1.0f - out[i]);
      d_cells[i] = d * forget[i];
    }
  }
}

}  // namespace

MINIBERT_CLONES void lstm_step(const LstmStep& step) { step_body(step); }
MINIBERT_CLONES void lstm_step_backward(const LstmStep& step) { step_backward_body(step); }

}  // namespace minibert::kernels

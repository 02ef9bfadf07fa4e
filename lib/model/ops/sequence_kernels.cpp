#include "model/ops/sequence_kernels.h"

#include "model/ops/kernel_math.h"

namespace minibert::kernels {
namespace {

template <class T>
MINIBERT_INLINE void convolve_body(const ConvolutionRows<T>& a) {
  const int64_t cols = a.channels;
  float* sums = a.scratch;
  for (int64_t row = a.first; row < a.first + a.rows; ++row) {
    const int64_t position = row % a.length;
    for (int64_t i = 0; i < cols; ++i) sums[i] = 0;
    for (int64_t tap = 0; tap < a.taps; ++tap) {
      const int64_t away = tap - a.taps / 2, from = row + away;
      if (position + away < 0 || position + away >= a.length || a.bias[from] < 0) continue;
      const T* x = a.x + from * cols;
      const float* weight = a.weight + tap * cols;
#pragma omp simd
      for (int64_t i = 0; i < cols; ++i) sums[i] += weight[i] * load(x[i]);
    }
    T* y = a.y + row * cols;
    for (int64_t i = 0; i < cols; ++i) y[i] = store<T>(sums[i]);
  }
}

// A row of x reaches the rows of y that read it: tap k's is k - taps / 2 before it.
template <class T>
MINIBERT_INLINE void convolve_backward_body(const ConvolutionRows<T>& a) {
  const int64_t cols = a.channels;
  float* sums = a.scratch;
  for (int64_t row = a.first; row < a.first + a.rows; ++row) {
    const int64_t position = row % a.length;
    const T* x = a.x + row * cols;
    for (int64_t i = 0; i < cols; ++i) sums[i] = 0;
    for (int64_t tap = 0; tap < a.taps && a.bias[row] >= 0; ++tap) {
      const int64_t away = tap - a.taps / 2;
      if (position - away < 0 || position - away >= a.length) continue;
      const T* grad_out = a.grad_out + (row - away) * cols;
      const float* weight = a.weight + tap * cols;
      float* d_weight = a.d_weight + tap * cols;
#pragma omp simd
      for (int64_t i = 0; i < cols; ++i) {
        const float grad = load(grad_out[i]);
        sums[i] += weight[i] * grad;
        d_weight[i] += load(x[i]) * grad;
      }
    }
    T* d_x = a.d_x + row * cols;
    for (int64_t i = 0; i < cols; ++i) d_x[i] = store<T>(sums[i]);
  }
}

}  // namespace

MINIBERT_CLONES void convolve_rows(const ConvolutionRows<float>& a) { convolve_body(a); }
MINIBERT_CLONES void convolve_rows(const ConvolutionRows<uint16_t>& a) { convolve_body(a); }
MINIBERT_CLONES void convolve_backward_rows(const ConvolutionRows<float>& a) {
  convolve_backward_body(a);
}
MINIBERT_CLONES void convolve_backward_rows(const ConvolutionRows<uint16_t>& a) {
  convolve_backward_body(a);
}

}  // namespace minibert::kernels

// CPU kernels that mix neighbouring positions of sequences. Single-threaded, sums in float32,
// bfloat16 passed as its 16 bits (T is float or uint16_t).
#pragma once

#include <cstdint>

namespace minibert::kernels {

// A depthwise convolution over contiguous sequences of `length` positions: rows [first, first +
// rows) of a matrix with `channels` columns. All pointers are to the matrix's first row. Positions
// outside the sequence or with a negative bias count as 0.
template <class T>
struct ConvolutionRows {
  int64_t first, rows, length, channels, taps;
  const float* bias;    // one a row: negative at padding
  const float* weight;  // [taps, channels]; tap k reads the position k - taps / 2 away
  float* scratch;       // channels
  const T* x = nullptr;
  // Forward.
  T* y = nullptr;
  // Backward: gradient of y gives d_x; d_weight [taps, channels] is added to.
  const T* grad_out = nullptr;
  T* d_x = nullptr;
  float* d_weight = nullptr;
};
void convolve_rows(const ConvolutionRows<float>& a);
void convolve_rows(const ConvolutionRows<uint16_t>& a);
void convolve_backward_rows(const ConvolutionRows<float>& a);
void convolve_backward_rows(const ConvolutionRows<uint16_t>& a);

}  // namespace minibert::kernels

// x · Wᵀ + bias for int8 and float32 weights, in blocks that stay in the cache.
#pragma once

#include <cstdint>
#include <vector>

#include "infer/engine/weights.h"
#include "infer/kernels/kernels.h"
#include "infer/kernels/quantize.h"

namespace minibert::infer {

inline constexpr int32_t kBlockRows = 32;  // tokens in one product

// Working memory of matrix products for up to kBlockRows tokens. Not thread-safe.
class LinearRunner {
 public:
  // `max_inputs`: the largest K of any matrix.
  LinearRunner(Kernel kernel, int32_t max_inputs);

  // y [rows, N] (row stride ldy) = x [rows, K] (row stride ldx) · Wᵀ + bias; rows <= kBlockRows.
  // ask_fine uses activations of 14 bits if the weights are int8 and K is at most
  // mbq::kMaxFineInner; weights with a `low` always do.
  void apply(const Matrix& matrix, bool ask_fine, const float* x, int32_t ldx, int32_t rows,
             float* y, int32_t ldy);

 private:
  DotKernel dot_;
  std::vector<uint8_t> activations_;      // [2 kBlockRows, stride]: high (or all), then low
  std::vector<int32_t> sums_, low_sums_;  // [kBlockRows, kBlockOutputs]
  std::vector<int16_t> workspace_;        // for dot_
  TokenScale scales_[kBlockRows];
};

// Returns rows [first, first + count) of a matrix.
Matrix rows_of(const Matrix& matrix, int32_t first, int32_t count);

// out [E] (+)= row `index` of an embedding.
void copy_row(const Matrix& embedding, int32_t index, float* out);
void add_row(const Matrix& embedding, int32_t index, float* out);

}  // namespace minibert::infer

// The float parts of the forward pass: products, LayerNorm, softmax, GELU. Results are bit-equal on
// every machine (infer/kernels/vector_math.h).
#pragma once

#include <cstdint>
#include <span>

#include "infer/engine/weights.h"

namespace minibert::infer {

// Panels hold a matrix [k, n] as groups of kPanelColumns columns (the rest in the last panel), each
// stored as [k, columns]; n is a multiple of 4. Returns the index of (i, j).
inline constexpr int32_t kPanelColumns = 16;
inline int64_t in_panels(int32_t i, int32_t j, int32_t k, int32_t n) {
  const int32_t first = j / kPanelColumns * kPanelColumns, left = n - first;
  return int64_t(first) * k + int64_t(i) * (left < kPanelColumns ? left : kPanelColumns) +
         (j - first);
}

// c [m, n] = a [m, k] · b [k, n] in panels; row strides lda and ldc, and n, are multiples of 4.
void multiply(const float* a, int32_t lda, const float* b, float* c, int32_t ldc, int32_t m,
              int32_t n, int32_t k);

// c [m, n] = a [m, k] · b [n, k] transposed + bias [n] (or null), with row strides lda, k, ldc.
void multiply_transposed(const float* a, int32_t lda, const float* b, const float* bias, float* c,
                         int32_t ldc, int32_t m, int32_t n, int32_t k);

// y = (x − mean) / sqrt(variance + eps) · weight + bias over [size]; y may be x.
void layer_norm(const float* x, const Norm& norm, float eps, int32_t size, float* y);

// x [size] += y [size]
void add(float* x, const float* y, int32_t size);

// x [size] *= factor
void scale(float* x, float factor, int32_t size);

// x [size] -> 0.5 x (1 + tanh(sqrt(2/π) (x + 0.044715 x³))), Hendrycks & Gimpel 2016.
void gelu(float* x, int32_t size);

// x [2 size]: the first half becomes its gelu times the second half (GEGLU: Shazeer 2020).
void geglu(float* x, int32_t size);

// x [size] -> 1 / (1 + e^−x)
void sigmoid(float* x, int32_t size);

// x [size] -> tanh x
void tanh_of(float* x, int32_t size);

// x [size] -> softmax(x).
void softmax(float* x, int32_t size);

// Returns the sum of e^(x − shift) over [size]; with `allowed` [size], only where it is not 0.
float sum_of_exponentials(const float* x, float shift, int32_t size,
                          const uint8_t* allowed = nullptr);
float maximum(const float* x, int32_t size);  // requires size > 0
bool all_finite(std::span<const float> x);

}  // namespace minibert::infer

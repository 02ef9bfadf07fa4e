// CPU kernels over rows of contiguous matrices: softmax, LayerNorm, cross-entropy, column sums.
// Single-threaded, statistics and sums in float32, bfloat16 passed as its 16 bits (T is float or
// uint16_t). `scratch` holds one row of floats.
#pragma once

#include <cstdint>

#include "model/vector_kernels.h"

namespace minibert::kernels {

// Rows of x become softmax(x * scale + bias) in place; bias (cols) is the same for all of them.
void softmax_rows(float* x, float scale, const float* bias, float* scratch, int64_t rows,
                  int64_t cols);
void softmax_rows(uint16_t* x, float scale, const float* bias, float* scratch, int64_t rows,
                  int64_t cols);

// slope, d loss / d p, becomes d loss / d x: p * (slope - sum(slope * p)) * scale, in place.
void softmax_backward_rows(const float* p, float* slope, float scale, int64_t rows, int64_t cols);
void softmax_backward_rows(const uint16_t* p, uint16_t* slope, float scale, int64_t rows,
                           int64_t cols);

// One LayerNorm over a residual sum, [first, first + rows) of a matrix with `cols` columns.
// All pointers are to the matrix' first row.
template <class T>
struct NormRows {
  int64_t first, rows, cols;
  const float* gamma;
  float* mean;        // of each row
  float* reciprocal;  // 1 / sqrt(variance + eps)
  DropoutRule dropout;
  float* scratch;
  // Forward: sum = x + dropout(branch) (x alone where branch is null), y = LayerNorm(sum).
  const T* x = nullptr;
  const T* branch = nullptr;
  T* sum = nullptr;
  T* y = nullptr;
  const float* beta = nullptr;
  float eps = 0;
  // Backward, reading `sum`: slope_y, and slope_sum where it is not null, give d_x, and d_branch
  // where it is not null; d_gamma and d_beta (cols) are added to.
  const T* slope_y = nullptr;
  const T* slope_sum = nullptr;
  T* d_x = nullptr;
  T* d_branch = nullptr;
  float* d_gamma = nullptr;
  float* d_beta = nullptr;
};
void norm_rows(const NormRows<float>& a);
void norm_rows(const NormRows<uint16_t>& a);
void norm_rows_backward(const NormRows<float>& a);
void norm_rows_backward(const NormRows<uint16_t>& a);

// Cross-entropy of one row of logits plus bias (null: none) against a label. Where `slope` is not
// null it gets (softmax - one-hot) * slope_scale; it may be `logits` itself.
struct RowLoss {
  float loss;
  bool correct;  // the label is the first of the highest
};
RowLoss cross_entropy_row(const float* logits, const float* bias, float* scratch, int64_t cols,
                          int64_t label, float slope_scale, float* slope);
RowLoss cross_entropy_row(const uint16_t* logits, const float* bias, float* scratch, int64_t cols,
                          int64_t label, float slope_scale, uint16_t* slope);

// sums[j] += x[0][j] + x[1][j] + … in this order.
void add_column_sums(const float* x, int64_t rows, int64_t cols, float* sums);
void add_column_sums(const uint16_t* x, int64_t rows, int64_t cols, float* sums);

}  // namespace minibert::kernels

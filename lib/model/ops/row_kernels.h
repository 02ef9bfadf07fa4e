// CPU kernels over rows of contiguous matrices: softmax, LayerNorm, cross-entropy, gates, column
// sums. Single-threaded; statistics and sums in float32; bfloat16 is passed as its 16 bits (T is
// float or uint16_t). `scratch` holds one row of floats.
#pragma once

#include <cstdint>

#include "model/ops/vector_kernels.h"

namespace minibert::kernels {

// The attention scores of one head of one sequence: `rows` queries against `cols` keys.
template <class T>
struct ScoreRows {
  int64_t rows, cols;
  float scale;
  // Position of each row's query; null: row i is position i.
  const int64_t* query = nullptr;
  // Forward: x becomes softmax(x * scale + bias + offset_bias) in place. bias (cols) is the same
  // for all rows; offset_bias (2 * cols - 1 values, or null) has the value of offset key - query at
  // cols - 1 + offset.
  T* x = nullptr;
  const float* bias = nullptr;
  const float* offset_bias = nullptr;
  float* scratch = nullptr;
  // Backward: grad_out, d loss / d p, becomes d loss / d x in place: p * (grad_out - sum(grad_out *
  // p)) * scale; d_offset_bias, unless null, is added to.
  const T* p = nullptr;
  T* grad_out = nullptr;
  float* d_offset_bias = nullptr;
};
void softmax_rows(const ScoreRows<float>& a);
void softmax_rows(const ScoreRows<uint16_t>& a);
void softmax_backward_rows(const ScoreRows<float>& a);
void softmax_backward_rows(const ScoreRows<uint16_t>& a);

// One LayerNorm over a residual sum, for rows [first, first + rows) of a matrix with `cols`
// columns. All pointers are to the matrix's first row.
template <class T>
struct NormRows {
  int64_t first, rows, cols;
  const float* gamma;
  float* mean;        // by row
  float* reciprocal;  // by row: rstd, 1 / sqrt(variance + eps)
  DropoutRule dropout;
  float* scratch;
  // Forward: sum = x + dropout(branch) (x alone if branch is null), y = LayerNorm(sum).
  const T* x = nullptr;
  const T* branch = nullptr;
  T* sum = nullptr;
  T* y = nullptr;
  const float* beta = nullptr;
  float eps = 0;
  // Backward, from `sum`: grad_y, and grad_sum unless null, give d_x, and d_branch unless null;
  // d_gamma and d_beta (cols) are added to.
  const T* grad_y = nullptr;
  const T* grad_sum = nullptr;
  T* d_x = nullptr;
  T* d_branch = nullptr;
  float* d_gamma = nullptr;
  float* d_beta = nullptr;
};
void norm_rows(const NormRows<float>& a);
void norm_rows(const NormRows<uint16_t>& a);
void norm_rows_backward(const NormRows<float>& a);
void norm_rows_backward(const NormRows<uint16_t>& a);

// Cross-entropy of one row of logits plus bias (null: none) against a label. `grad_out`, unless
// null, gets (softmax - one-hot) * grad_scale; it may be `logits` itself.
struct RowLoss {
  float loss;
  bool correct;  // the label is the first of the highest
};
RowLoss cross_entropy_row(const float* logits, const float* bias, float* scratch, int64_t cols,
                          int64_t label, float grad_scale, float* grad_out);
RowLoss cross_entropy_row(const uint16_t* logits, const float* bias, float* scratch, int64_t cols,
                          int64_t label, float grad_scale, uint16_t* grad_out);

// A teacher's logits of a row, its temperature and the weights of the two parts of the loss.
// `scratch` holds another row of floats.
template <class T>
struct TaughtRow {
  const T* logits;
  const float* bias;
  float* scratch;
  float temperature, soft, hard;
};
// The result of the loss against a teacher. grad_out gets grad_scale times hard * (softmax -
// one-hot) + soft * temperature * (softmax - teacher's softmax, both at the temperature).
struct TaughtLoss {
  RowLoss hard;
  float divergence;  // KL(teacher || student) at the temperature
};
TaughtLoss taught_row(const float* logits, const float* bias, float* scratch, int64_t cols,
                      int64_t label, const TaughtRow<float>& teacher, float grad_scale,
                      float* grad_out);
TaughtLoss taught_row(const uint16_t* logits, const float* bias, float* scratch, int64_t cols,
                      int64_t label, const TaughtRow<uint16_t>& teacher, float grad_scale,
                      uint16_t* grad_out);

// A teacher's probabilities at the temperature for `count` pieces, which sum to 1; those of a
// repeated piece add up.
struct SparseRow {
  const int64_t* pieces;
  const float* probabilities;
  int64_t count;
  float temperature, soft, hard;
};
TaughtLoss sparse_taught_row(const float* logits, const float* bias, float* scratch, int64_t cols,
                             int64_t label, const SparseRow& teacher, float grad_scale,
                             float* grad_out);
TaughtLoss sparse_taught_row(const uint16_t* logits, const float* bias, float* scratch,
                             int64_t cols, int64_t label, const SparseRow& teacher,
                             float grad_scale, uint16_t* grad_out);

// Multiplies every head's `width` columns of a row by sigmoid of its gate, [rows, heads]: y from x;
// backward: d_x and d_gate from the gradient of y.
void gate_rows(const float* x, const float* gate, float* y, int64_t rows, int64_t heads,
               int64_t width);
void gate_rows(const uint16_t* x, const uint16_t* gate, uint16_t* y, int64_t rows, int64_t heads,
               int64_t width);
void gate_backward_rows(const float* x, const float* gate, const float* grad_out, float* d_x,
                        float* d_gate, int64_t rows, int64_t heads, int64_t width);
void gate_backward_rows(const uint16_t* x, const uint16_t* gate, const uint16_t* grad_out,
                        uint16_t* d_x, uint16_t* d_gate, int64_t rows, int64_t heads,
                        int64_t width);

// sums[j] += x[0][j] + x[1][j] + … in this order.
void add_column_sums(const float* x, int64_t rows, int64_t cols, float* sums);
void add_column_sums(const uint16_t* x, int64_t rows, int64_t cols, float* sums);

}  // namespace minibert::kernels

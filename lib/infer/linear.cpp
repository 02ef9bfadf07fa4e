#include "infer/linear.h"

#include <algorithm>
#include <cstring>

#include "infer/float_ops.h"
#include "infer/vector_math.h"

namespace minibert::infer {
namespace {

constexpr int32_t kBlockOutputs = 128;

int32_t round_up(int32_t value, int32_t to) { return (value + to - 1) / to * to; }

// With x ≈ s q + m and w = t p:  Σ x w = t (s Σ q p + m Σ p).
void dequantize(const int32_t* sums, const TokenScale& token, const Matrix& matrix, int32_t first,
                int32_t count, float* y) {
  const float* scales = matrix.scales + first;
  const int32_t* row_sums = matrix.row_sums + first;
  const float* bias = matrix.bias == nullptr ? nullptr : matrix.bias + first;
  int32_t n = 0;
  for (; n + 4 <= count; n += 4) {
    I32x4 sum, row_sum;
    std::memcpy(&sum, sums + n, sizeof(sum));
    std::memcpy(&row_sum, row_sums + n, sizeof(row_sum));
    F32x4 value = (__builtin_convertvector(sum, F32x4) * token.scale +
                   __builtin_convertvector(row_sum, F32x4) * token.minimum) *
                  load4(scales + n);
    if (bias != nullptr) value += load4(bias + n);
    store4(y + n, value);
  }
  for (; n < count; ++n) {
    const float value = (static_cast<float>(sums[n]) * token.scale +
                         static_cast<float>(row_sums[n]) * token.minimum) *
                        scales[n];
    y[n] = bias == nullptr ? value : value + bias[n];
  }
}

}  // namespace

LinearRunner::LinearRunner(Kernel kernel, int32_t max_inputs)
    : dot_(dot_kernel(kernel)),
      activations_(static_cast<size_t>(kBlockRows) * round_up(max_inputs, kActivationAlign)),
      sums_(static_cast<size_t>(kBlockRows) * kBlockOutputs) {}

void LinearRunner::apply(const Matrix& matrix, const float* x, int32_t ldx, int32_t rows, float* y,
                         int32_t ldy) {
  if (matrix.int8 == nullptr) {
    multiply_transposed(x, ldx, matrix.float32, matrix.bias, y, ldy, rows, matrix.rows,
                        matrix.cols);
    return;
  }
  const int32_t stride = round_up(matrix.cols, kActivationAlign);
  for (int32_t m = 0; m < rows; ++m)
    scales_[m] = quantize_token(x + int64_t(m) * ldx, matrix.cols,
                                activations_.data() + int64_t(m) * stride, stride);
  for (int32_t first = 0; first < matrix.rows; first += kBlockOutputs) {
    const int32_t count = std::min(kBlockOutputs, matrix.rows - first);
    dot_(activations_.data(), stride, rows, matrix.int8 + int64_t(first) * matrix.cols, count,
         matrix.cols, sums_.data(), kBlockOutputs);
    for (int32_t m = 0; m < rows; ++m)
      dequantize(sums_.data() + int64_t(m) * kBlockOutputs, scales_[m], matrix, first, count,
                 y + int64_t(m) * ldy + first);
  }
}

void copy_row(const Matrix& embedding, int32_t index, float* out) {
  const int64_t at = int64_t(index) * embedding.cols;
  if (embedding.int8 == nullptr) {
    std::memcpy(out, embedding.float32 + at, sizeof(float) * static_cast<size_t>(embedding.cols));
    return;
  }
  for (int32_t k = 0; k < embedding.cols; ++k)
    out[k] = embedding.scales[index] * static_cast<float>(embedding.int8[at + k]);
}

void add_row(const Matrix& embedding, int32_t index, float* out) {
  const int64_t at = int64_t(index) * embedding.cols;
  if (embedding.int8 == nullptr) {
    add(out, embedding.float32 + at, embedding.cols);
    return;
  }
  for (int32_t k = 0; k < embedding.cols; ++k)
    out[k] += embedding.scales[index] * static_cast<float>(embedding.int8[at + k]);
}

}  // namespace minibert::infer

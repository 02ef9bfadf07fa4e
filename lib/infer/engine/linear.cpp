#include "infer/engine/linear.h"

#include <algorithm>
#include <cstring>

#include "infer/engine/float_ops.h"
#include "infer/format/mbq_format.h"
#include "infer/kernels/vector_math.h"

namespace minibert::infer {
namespace {

constexpr int32_t kBlockOutputs = 128;

int32_t round_up(int32_t value, int32_t to) { return (value + to - 1) / to * to; }

// The sums of one token's products: of the weights, and of their low bytes with its high bytes.
struct Sums {
  const int32_t* all;
  const int32_t* low_weights;  // null: the weights have none
};

F32x4 load_sums(const int32_t* from) {
  I32x4 sum;
  std::memcpy(&sum, from, sizeof(sum));
  return __builtin_convertvector(sum, F32x4);
}

// Σ q p of four outputs.
F32x4 total4(const Sums& sums, int32_t n) {
  const F32x4 total = load_sums(sums.all + n);
  return sums.low_weights == nullptr
             ? total
             : total + load_sums(sums.low_weights + n) * (128 / mbq::kLowSteps);
}

// With x ≈ s q + m and w = t p:  Σ x w = t (s Σ q p + m Σ p). The sums are readable up to a
// multiple of four.
void dequantize(const Sums& sums, const TokenScale& token, const Matrix& matrix, int32_t first,
                int32_t count, float* y) {
  const float* scales = matrix.scales + first;
  const float* row_sums = matrix.row_sums + first;
  const float* bias = matrix.bias == nullptr ? nullptr : matrix.bias + first;
  int32_t n = 0;
  for (; n + 4 <= count; n += 4) {
    F32x4 value =
        (total4(sums, n) * token.scale + load4(row_sums + n) * token.minimum) * load4(scales + n);
    if (bias != nullptr) value += load4(bias + n);
    store4(y + n, value);
  }
  if (n == count) return;
  const F32x4 total = total4(sums, n);
  for (int32_t i = 0; n + i < count; ++i) {
    const float value = (total[i] * token.scale + row_sums[n + i] * token.minimum) * scales[n + i];
    y[n + i] = bias == nullptr ? value : value + bias[n + i];
  }
}

// Returns an embedding's entry, before its scale.
float row_value(const Matrix& embedding, int64_t at) {
  const float value = static_cast<float>(embedding.int8[at]);
  return embedding.low == nullptr
             ? value
             : value + static_cast<float>(embedding.low[at]) * (1 / mbq::kLowSteps);
}

}  // namespace

LinearRunner::LinearRunner(Kernel kernel, int32_t max_inputs)
    : dot_(dot_kernel(kernel)),
      activations_(static_cast<size_t>(2 * kBlockRows) * round_up(max_inputs, kActivationAlign)),
      sums_(static_cast<size_t>(kBlockRows) * kBlockOutputs),
      low_sums_(static_cast<size_t>(kBlockRows) * kBlockOutputs),
      workspace_(kDotWorkspace) {}

void LinearRunner::apply(const Matrix& matrix, bool ask_fine, const float* x, int32_t ldx,
                         int32_t rows, float* y, int32_t ldy) {
  if (matrix.int8 == nullptr) {
    multiply_transposed(x, ldx, matrix.float32, matrix.bias, y, ldy, rows, matrix.rows,
                        matrix.cols);
    return;
  }
  const bool fine = matrix.low != nullptr || (ask_fine && matrix.cols <= mbq::kMaxFineInner);
  const int32_t stride = round_up(matrix.cols, kActivationAlign), low = fine ? rows * stride : 0;
  for (int32_t m = 0; m < rows; ++m) {
    const float* token = x + int64_t(m) * ldx;
    uint8_t* high = activations_.data() + int64_t(m) * stride;
    scales_[m] = fine ? quantize_token_fine(token, matrix.cols, high, high + low, stride)
                      : quantize_token(token, matrix.cols, high, stride);
  }
  for (int32_t first = 0; first < matrix.rows; first += kBlockOutputs) {
    const int32_t count = std::min(kBlockOutputs, matrix.rows - first);
    const int64_t at = int64_t(first) * matrix.cols;
    dot_(activations_.data(), low, stride, rows, matrix.int8 + at, count, matrix.cols, sums_.data(),
         kBlockOutputs, workspace_.data());
    if (matrix.low != nullptr)
      dot_(activations_.data(), 0, stride, rows, matrix.low + at, count, matrix.cols,
           low_sums_.data(), kBlockOutputs, workspace_.data());
    for (int32_t m = 0; m < rows; ++m) {
      const int64_t row = int64_t(m) * kBlockOutputs;
      dequantize({sums_.data() + row, matrix.low == nullptr ? nullptr : low_sums_.data() + row},
                 scales_[m], matrix, first, count, y + int64_t(m) * ldy + first);
    }
  }
}

Matrix rows_of(const Matrix& matrix, int32_t first, int32_t count) {
  const auto from = [&](auto* numbers, int32_t each) {
    return numbers == nullptr ? nullptr : numbers + int64_t(first) * each;
  };
  Matrix part = matrix;
  part.rows = count;
  part.int8 = from(matrix.int8, matrix.cols);
  part.low = from(matrix.low, matrix.cols);
  part.float32 = from(matrix.float32, matrix.cols);
  part.scales = from(matrix.scales, 1);
  part.bias = from(matrix.bias, 1);
  part.row_sums = from(matrix.row_sums, 1);
  return part;
}

void copy_row(const Matrix& embedding, int32_t index, float* out) {
  const int64_t at = int64_t(index) * embedding.cols;
  if (embedding.int8 == nullptr) {
    std::memcpy(out, embedding.float32 + at, sizeof(float) * static_cast<size_t>(embedding.cols));
    return;
  }
  for (int32_t k = 0; k < embedding.cols; ++k)
    out[k] = embedding.scales[index] * row_value(embedding, at + k);
}

void add_row(const Matrix& embedding, int32_t index, float* out) {
  const int64_t at = int64_t(index) * embedding.cols;
  if (embedding.int8 == nullptr) {
    add(out, embedding.float32 + at, embedding.cols);
    return;
  }
  for (int32_t k = 0; k < embedding.cols; ++k)
    out[k] += embedding.scales[index] * row_value(embedding, at + k);
}

}  // namespace minibert::infer

#include "infer/quantize.h"

#include <cmath>
#include <cstring>

#include "infer/vector_math.h"

namespace minibert::infer {
namespace {

constexpr float kSmallestRange = 1e-30f;  // below it a token counts as constant

// Sixteen rounded values as bytes. The mask keeps even a NaN's bits in 0…127.
U8x16 round16(const F32x4* values) {
  I32x4 parts[4];
  for (int i = 0; i < 4; ++i) parts[i] = (I32x4)(values[i] + kRounder) & kActivationMax;
  return narrow(parts[0], parts[1], parts[2], parts[3]);
}

}  // namespace

void quantize_rows(const float* values, int32_t rows, int32_t cols, int8_t* quantized,
                   float* scales) {
  for (int32_t n = 0; n < rows; ++n) {
    const float* row = values + int64_t(n) * cols;
    float largest = 0;
    for (int32_t k = 0; k < cols; ++k) largest = std::fmax(largest, std::fabs(row[k]));
    scales[n] = largest == 0 ? 1.0f : largest / 127.0f;
    for (int32_t k = 0; k < cols; ++k)
      quantized[int64_t(n) * cols + k] =
          static_cast<int8_t>(std::fmin(127.0f, std::fmax(-127.0f, std::rint(row[k] / scales[n]))));
  }
}

TokenScale quantize_token(const float* values, int32_t cols, uint8_t* quantized, int32_t stride) {
  const int32_t whole = cols & ~15, rest = cols - whole;
  F32x4 low = splat(values[0]), high = low;
  int32_t k = 0;
  for (; k + 4 <= cols; k += 4) {
    const F32x4 v = load4(values + k);
    low = smaller(low, v);
    high = larger(high, v);
  }
  const F32x4 v = load_part(values + k, cols - k, values[0]);
  const float minimum = least(smaller(low, v)), maximum = greatest(larger(high, v));
  const float range = maximum - minimum;
  const float inverse = range > kSmallestRange ? kActivationMax / range : 0.0f;
  for (k = 0; k < whole; k += 16) {
    F32x4 scaled[4];
    for (int i = 0; i < 4; ++i) scaled[i] = (load4(values + k + 4 * i) - minimum) * inverse;
    const U8x16 bytes = round16(scaled);
    std::memcpy(quantized + k, &bytes, sizeof(bytes));
  }
  if (rest != 0) {
    F32x4 scaled[4];
    for (int32_t i = 0; i < 16; ++i)
      scaled[i / 4][i % 4] = i < rest ? (values[whole + i] - minimum) * inverse : 0.0f;
    const U8x16 bytes = round16(scaled);
    std::memcpy(quantized + whole, &bytes, sizeof(bytes));
    k += 16;
  }
  std::memset(quantized + k, 0, static_cast<size_t>(stride - k));
  return {range > kSmallestRange ? range / kActivationMax : 0.0f, minimum};
}

}  // namespace minibert::infer

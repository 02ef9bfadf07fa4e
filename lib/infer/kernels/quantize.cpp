#include "infer/kernels/quantize.h"

#include <cmath>
#include <cstring>

#include "infer/format/mbq_format.h"
#include "infer/kernels/vector_math.h"

namespace minibert::infer {
namespace {

constexpr float kSmallestRange = 1e-30f;  // below it a token counts as constant

// Sixteen rounded values; the mask keeps even a NaN's bits in range.
struct Rounded {
  I32x4 parts[4];
  Rounded(const F32x4* values, int32_t largest) {
    for (int i = 0; i < 4; ++i) parts[i] = (I32x4)(values[i] + kRounder) & largest;
  }
  void store(uint8_t* bytes) const { put(parts, bytes); }
  void store(uint8_t* high, uint8_t* low) const {
    I32x4 upper[4], lower[4];
    for (int i = 0; i < 4; ++i) {
      upper[i] = parts[i] >> 7;
      lower[i] = parts[i] & kActivationMax;
    }
    put(upper, high);
    put(lower, low);
  }

 private:
  static void put(const I32x4* values, uint8_t* bytes) {
    const U8x16 narrowed = narrow(values[0], values[1], values[2], values[3]);
    std::memcpy(bytes, &narrowed, sizeof(narrowed));
  }
};

// Calls store(k, rounded) for every sixteen values, with 0 behind cols. Returns the scale.
template <class Store>
TokenScale quantize(const float* values, int32_t cols, int32_t largest, Store&& store) {
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
  const float range = maximum - minimum, steps = static_cast<float>(largest);
  const float inverse = range > kSmallestRange ? steps / range : 0.0f;
  for (k = 0; k < whole; k += 16) {
    F32x4 scaled[4];
    for (int i = 0; i < 4; ++i) scaled[i] = (load4(values + k + 4 * i) - minimum) * inverse;
    store(k, Rounded(scaled, largest));
  }
  if (rest != 0) {
    F32x4 scaled[4];
    for (int32_t i = 0; i < 16; ++i)
      scaled[i / 4][i % 4] = i < rest ? (values[whole + i] - minimum) * inverse : 0.0f;
    store(whole, Rounded(scaled, largest));
  }
  return {range > kSmallestRange ? range / steps : 0.0f, minimum};
}

// Zeros behind the values that quantize() stored.
void pad(uint8_t* bytes, int32_t cols, int32_t stride) {
  const int32_t stored = (cols + 15) & ~15;
  std::memset(bytes + stored, 0, static_cast<size_t>(stride - stored));
}

int8_t to_int8(float value) {
  return static_cast<int8_t>(std::fmin(127.0f, std::fmax(-127.0f, std::rint(value))));
}

}  // namespace

void quantize_rows(const float* values, int32_t rows, int32_t cols, int8_t* quantized,
                   float* scales, int8_t* low) {
  for (int32_t n = 0; n < rows; ++n) {
    const float* row = values + int64_t(n) * cols;
    float largest = 0;
    for (int32_t k = 0; k < cols; ++k) largest = std::fmax(largest, std::fabs(row[k]));
    scales[n] = largest == 0 ? 1.0f : largest / 127.0f;
    for (int32_t k = 0; k < cols; ++k) {
      const int64_t at = int64_t(n) * cols + k;
      quantized[at] = to_int8(row[k] / scales[n]);
      if (low != nullptr) low[at] = to_int8((row[k] / scales[n] - quantized[at]) * mbq::kLowSteps);
    }
  }
}

TokenScale quantize_token(const float* values, int32_t cols, uint8_t* quantized, int32_t stride) {
  const TokenScale scale =
      quantize(values, cols, kActivationMax,
               [&](int32_t k, const Rounded& rounded) { rounded.store(quantized + k); });
  pad(quantized, cols, stride);
  return scale;
}

TokenScale quantize_token_fine(const float* values, int32_t cols, uint8_t* high, uint8_t* low,
                               int32_t stride) {
  const TokenScale scale =
      quantize(values, cols, kFineActivationMax,
               [&](int32_t k, const Rounded& rounded) { rounded.store(high + k, low + k); });
  pad(high, cols, stride);
  pad(low, cols, stride);
  return scale;
}

}  // namespace minibert::infer

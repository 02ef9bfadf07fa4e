#include "model/vector_kernels.h"

#include <bit>

// One body compiled for each instruction set; the loader picks. Sanitizers cannot instrument that.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define MINIBERT_CLONES \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define MINIBERT_CLONES
#endif

namespace minibert::kernels {
namespace {

[[gnu::always_inline]] inline float load(float value) { return value; }
[[gnu::always_inline]] inline float load(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

template <class T>
T store(float value);
template <>
[[gnu::always_inline]] inline float store<float>(float value) {
  return value;
}
template <>
[[gnu::always_inline]] inline uint16_t store<uint16_t>(float value) {
  // Round to nearest, ties to even; these kernels never meet NaN that must stay one.
  const auto bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

// exp(x) to about 2 ulp for |x| <= 87, clamped outside: 2^n times a degree-6 polynomial.
[[gnu::always_inline]] inline float fast_exp(float x) {
  x = x < -87.0f ? -87.0f : (x > 87.0f ? 87.0f : x);
  const float scaled = x * 1.44269504088896341f;
  // Adding 1.5 * 2^23 leaves the rounded integer in the low bits.
  const float shifted = scaled + 12582912.0f;
  const float whole = shifted - 12582912.0f;
  const float f = (scaled - whole) * 0.69314718055994531f;
  float p = 1.0f / 720.0f;
  p = p * f + 1.0f / 120.0f;
  p = p * f + 1.0f / 24.0f;
  p = p * f + 1.0f / 6.0f;
  p = p * f + 0.5f;
  p = p * f + 1.0f;
  p = p * f + 1.0f;
  const uint32_t exponent = (std::bit_cast<uint32_t>(shifted) - 0x4b400000U + 127U) << 23;
  return p * std::bit_cast<float>(exponent);
}

constexpr float kTwiceSqrt2OverPi = 1.5957691216057308f;
constexpr float kCubic = 0.044715f;

[[gnu::always_inline]] inline float sigmoid_of_2u(float x) {
  return 1.0f / (1.0f + fast_exp(-kTwiceSqrt2OverPi * x * (1.0f + kCubic * x * x)));
}

template <class T>
[[gnu::always_inline]] inline void gelu_body(const T* x, T* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float value = load(x[i]);
    y[i] = store<T>(value * sigmoid_of_2u(value));
  }
}

template <class T>
[[gnu::always_inline]] inline void gelu_backward_body(const T* x, const T* grad, T* out,
                                                      int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float value = load(x[i]);
    const float s = sigmoid_of_2u(value);
    const float slope = kTwiceSqrt2OverPi * (1.0f + 3.0f * kCubic * value * value);
    out[i] = store<T>(load(grad[i]) * (s + value * s * (1.0f - s) * slope));
  }
}

// MurmurHash3's 32-bit finalizer (Appleby 2011): enough mixing for a mask, and it vectorizes.
[[gnu::always_inline]] inline uint32_t mixed(uint32_t h) {
  h ^= h >> 16;
  h *= 0x85ebca6bU;
  h ^= h >> 13;
  h *= 0xc2b2ae35U;
  return h ^ (h >> 16);
}

template <class T>
[[gnu::always_inline]] inline void dropout_body(const T* in, T* out, int64_t n, uint32_t offset,
                                                uint64_t key, uint32_t threshold, float scale) {
  const auto low = static_cast<uint32_t>(key), high = static_cast<uint32_t>(key >> 32);
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t index = offset + static_cast<uint32_t>(i);
    const uint32_t hash = mixed(mixed(index * 0x9e3779b1U + low) ^ high);
    out[i] = store<T>(load(in[i]) * (hash >= threshold ? scale : 0.0f));
  }
}

}  // namespace

MINIBERT_CLONES void gelu(const float* x, float* y, int64_t n) { gelu_body(x, y, n); }
MINIBERT_CLONES void gelu(const uint16_t* x, uint16_t* y, int64_t n) { gelu_body(x, y, n); }
MINIBERT_CLONES void gelu_backward(const float* x, const float* grad, float* out, int64_t n) {
  gelu_backward_body(x, grad, out, n);
}
MINIBERT_CLONES void gelu_backward(const uint16_t* x, const uint16_t* grad, uint16_t* out,
                                   int64_t n) {
  gelu_backward_body(x, grad, out, n);
}
MINIBERT_CLONES void dropout(const float* in, float* out, int64_t n, uint32_t offset, uint64_t key,
                             uint32_t threshold, float scale) {
  dropout_body(in, out, n, offset, key, threshold, scale);
}
MINIBERT_CLONES void dropout(const uint16_t* in, uint16_t* out, int64_t n, uint32_t offset,
                             uint64_t key, uint32_t threshold, float scale) {
  dropout_body(in, out, n, offset, key, threshold, scale);
}

}  // namespace minibert::kernels

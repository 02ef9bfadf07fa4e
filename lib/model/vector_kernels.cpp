#include "model/vector_kernels.h"

#include "model/kernel_math.h"

namespace minibert::kernels {
namespace {

constexpr float kTwiceSqrt2OverPi = 1.5957691216057308f;
constexpr float kCubic = 0.044715f;

MINIBERT_INLINE float sigmoid_of_2u(float x) {
  return 1.0f / (1.0f + fast_exp(-kTwiceSqrt2OverPi * x * (1.0f + kCubic * x * x)));
}

template <class T>
MINIBERT_INLINE void gelu_body(const T* x, T* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float value = load(x[i]);
    y[i] = store<T>(value * sigmoid_of_2u(value));
  }
}

template <class T>
MINIBERT_INLINE void gelu_backward_body(const T* x, const T* grad, T* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float value = load(x[i]);
    const float s = sigmoid_of_2u(value);
    const float slope = kTwiceSqrt2OverPi * (1.0f + 3.0f * kCubic * value * value);
    out[i] = store<T>(load(grad[i]) * (s + value * s * (1.0f - s) * slope));
  }
}

template <class T>
MINIBERT_INLINE void dropout_body(const T* in, T* out, int64_t n, uint32_t offset,
                                  const DropoutRule& rule) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = store<T>(load(in[i]) * dropout_factor(offset + static_cast<uint32_t>(i), rule.key,
                                                   rule.threshold, rule.scale));
}

template <class T>
MINIBERT_INLINE void add_body(const T* in, T* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = store<T>(load(out[i]) + load(in[i]));
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
MINIBERT_CLONES void dropout(const float* in, float* out, int64_t n, uint32_t offset,
                             const DropoutRule& rule) {
  dropout_body(in, out, n, offset, rule);
}
MINIBERT_CLONES void dropout(const uint16_t* in, uint16_t* out, int64_t n, uint32_t offset,
                             const DropoutRule& rule) {
  dropout_body(in, out, n, offset, rule);
}
MINIBERT_CLONES void add(const float* in, float* out, int64_t n) { add_body(in, out, n); }
MINIBERT_CLONES void add(const uint16_t* in, uint16_t* out, int64_t n) { add_body(in, out, n); }

}  // namespace minibert::kernels

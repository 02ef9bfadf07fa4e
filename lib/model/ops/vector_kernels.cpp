#include "model/ops/vector_kernels.h"

#include "model/ops/kernel_math.h"

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

// gelu'(x), where s is sigmoid_of_2u(x).
MINIBERT_INLINE float gelu_derivative(float x, float s) {
  const float d_2u = kTwiceSqrt2OverPi * (1.0f + 3.0f * kCubic * x * x);
  return s + x * s * (1.0f - s) * d_2u;
}

template <class T>
MINIBERT_INLINE void gelu_backward_body(const T* x, const T* grad, T* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float value = load(x[i]);
    out[i] = store<T>(load(grad[i]) * gelu_derivative(value, sigmoid_of_2u(value)));
  }
}

template <class T>
MINIBERT_INLINE void geglu_body(const T* gate, const T* value, T* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float x = load(gate[i]);
    y[i] = store<T>(x * sigmoid_of_2u(x) * load(value[i]));
  }
}

template <class T>
MINIBERT_INLINE void geglu_backward_body(const T* gate, const T* value, const T* grad, T* d_gate,
                                         T* d_value, int64_t n) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    const float x = load(gate[i]), d_y = load(grad[i]), s = sigmoid_of_2u(x);
    d_value[i] = store<T>(d_y * x * s);
    d_gate[i] = store<T>(d_y * load(value[i]) * gelu_derivative(x, s));
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
MINIBERT_CLONES void geglu(const float* gate, const float* value, float* y, int64_t n) {
  geglu_body(gate, value, y, n);
}
MINIBERT_CLONES void geglu(const uint16_t* gate, const uint16_t* value, uint16_t* y, int64_t n) {
  geglu_body(gate, value, y, n);
}
MINIBERT_CLONES void geglu_backward(const float* gate, const float* value, const float* grad,
                                    float* d_gate, float* d_value, int64_t n) {
  geglu_backward_body(gate, value, grad, d_gate, d_value, n);
}
MINIBERT_CLONES void geglu_backward(const uint16_t* gate, const uint16_t* value,
                                    const uint16_t* grad, uint16_t* d_gate, uint16_t* d_value,
                                    int64_t n) {
  geglu_backward_body(gate, value, grad, d_gate, d_value, n);
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

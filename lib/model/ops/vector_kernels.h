// Elementwise CPU kernels in plain loops that the compiler vectorizes (function multiversioning).
// Each handles [0, n) of contiguous arrays and is single-threaded. bfloat16 values are passed as
// their 16 bits.
#pragma once

#include <cstdint>

namespace minibert::kernels {

// Inverted dropout of the element `index`: out = in * scale if the hash of (index, key) is at least
// `threshold`, else 0. The default keeps everything.
struct DropoutRule {
  uint64_t key = 0;
  uint32_t threshold = 0;
  float scale = 1.0f;
};
// Returns the rule for inverted dropout of probability p.
inline DropoutRule dropout_rule(double p, uint64_t key) {
  return {key, static_cast<uint32_t>(p * 4294967296.0), static_cast<float>(1.0 / (1.0 - p))};
}

void gelu(const float* x, float* y, int64_t n);
void gelu(const uint16_t* x, uint16_t* y, int64_t n);
// out = grad * gelu'(x)
void gelu_backward(const float* x, const float* grad, float* out, int64_t n);
void gelu_backward(const uint16_t* x, const uint16_t* grad, uint16_t* out, int64_t n);

// y = gelu(gate) * value
void geglu(const float* gate, const float* value, float* y, int64_t n);
void geglu(const uint16_t* gate, const uint16_t* value, uint16_t* y, int64_t n);
// d_gate = grad * value * gelu'(gate), d_value = grad * gelu(gate)
void geglu_backward(const float* gate, const float* value, const float* grad, float* d_gate,
                    float* d_value, int64_t n);
void geglu_backward(const uint16_t* gate, const uint16_t* value, const uint16_t* grad,
                    uint16_t* d_gate, uint16_t* d_value, int64_t n);

// in[i] is element offset + i.
void dropout(const float* in, float* out, int64_t n, uint32_t offset, const DropoutRule& rule);
void dropout(const uint16_t* in, uint16_t* out, int64_t n, uint32_t offset,
             const DropoutRule& rule);

// out[i] += in[i]
void add(const float* in, float* out, int64_t n);
void add(const uint16_t* in, uint16_t* out, int64_t n);

}  // namespace minibert::kernels

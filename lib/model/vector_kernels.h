// Elementwise CPU kernels in plain loops that the compiler vectorizes for the machine at hand
// (function multiversioning). Each handles [0, n) of contiguous arrays and is single-threaded.
// bfloat16 values are passed as their 16 bits.
#pragma once

#include <cstdint>

namespace minibert::kernels {

void gelu(const float* x, float* y, int64_t n);
void gelu(const uint16_t* x, uint16_t* y, int64_t n);
// out = grad * gelu'(x)
void gelu_backward(const float* x, const float* grad, float* out, int64_t n);
void gelu_backward(const uint16_t* x, const uint16_t* grad, uint16_t* out, int64_t n);

// out[i] = in[i] * scale where the hash of (offset + i, key) is at least threshold, else 0.
void dropout(const float* in, float* out, int64_t n, uint32_t offset, uint64_t key,
             uint32_t threshold, float scale);
void dropout(const uint16_t* in, uint16_t* out, int64_t n, uint32_t offset, uint64_t key,
             uint32_t threshold, float scale);

}  // namespace minibert::kernels

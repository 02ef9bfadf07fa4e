// The contract of an int8 dot product, and one implementation for each instruction set; all give
// the same int32 sums. Free of the standard library, because the relaxed-SIMD file is compiled
// without it.
#pragma once

#include <stdint.h>

namespace minibert::infer {

//   sums[m · ld + n] = Σ_k a(m, k) · weights[n · k_size + k]       m < rows, n < outputs
//   a(m, k) = activations[m · stride + k]                          if low is 0
//   a(m, k) = 128 · activations[m · stride + k] + activations[low + m · stride + k]      otherwise
//
// Requires activations in 0…127, zeros from k_size to stride; stride a multiple of
// kActivationAlign; weights readable mbq::kTail bytes past their end; k_size at most
// mbq::kMaxFineInner with low; a workspace [kDotWorkspace], whose contents do not matter before or
// after.
using DotKernel = void (*)(const uint8_t* activations, int32_t low, int32_t stride, int32_t rows,
                           const int8_t* weights, int32_t outputs, int32_t k_size, int32_t* sums,
                           int32_t ld, int16_t* workspace);
inline constexpr int32_t kActivationAlign = 32;
inline constexpr int32_t kDotWorkspace = 40 * 1024;

// One a file, each compiled for its instruction set and only where that exists.
void dot_scalar(const uint8_t*, int32_t, int32_t, int32_t, const int8_t*, int32_t, int32_t,
                int32_t*, int32_t, int16_t*);
void dot_avx2(const uint8_t*, int32_t, int32_t, int32_t, const int8_t*, int32_t, int32_t, int32_t*,
              int32_t, int16_t*);
void dot_avx512_vnni(const uint8_t*, int32_t, int32_t, int32_t, const int8_t*, int32_t, int32_t,
                     int32_t*, int32_t, int16_t*);
void dot_wasm_simd128(const uint8_t*, int32_t, int32_t, int32_t, const int8_t*, int32_t, int32_t,
                      int32_t*, int32_t, int16_t*);
// These two are in a module of their own, which has neither a stack nor data.
extern "C" void dot_wasm_relaxed_simd(const uint8_t*, int32_t, int32_t, int32_t, const int8_t*,
                                      int32_t, int32_t, int32_t*, int32_t, int16_t*);
extern "C" void dot_wasm_relaxed_simd16(const uint8_t*, int32_t, int32_t, int32_t, const int8_t*,
                                        int32_t, int32_t, int32_t*, int32_t, int16_t*);

}  // namespace minibert::infer

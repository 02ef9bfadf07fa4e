// The int8 dot products, once for each instruction set; all give the same int32 sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace minibert::infer {

enum class Kernel { scalar, avx2, avx512_vnni, wasm_simd128, wasm_relaxed_simd };

// The best kernel that is both compiled in and understood by this machine.
Kernel best_kernel();
bool available(Kernel kernel);
std::vector<Kernel> available_kernels();
const char* name(Kernel kernel);

// sums[m · ld + n] = Σ_k activations[m · stride + k] · weights[n · k_size + k], m < rows, n <
// outputs. Requires activations in 0…127, zeros from k_size to stride; stride a multiple of
// kActivationAlign; weights readable mbq::kTail bytes past their end.
using DotKernel = void (*)(const uint8_t* activations, int32_t stride, int32_t rows,
                           const int8_t* weights, int32_t outputs, int32_t k_size, int32_t* sums,
                           int32_t ld);
inline constexpr int32_t kActivationAlign = 32;

// Requires available(kernel).
DotKernel dot_kernel(Kernel kernel);

// One a file, each compiled for its instruction set and only where that exists.
void dot_scalar(const uint8_t*, int32_t, int32_t, const int8_t*, int32_t, int32_t, int32_t*,
                int32_t);
void dot_avx2(const uint8_t*, int32_t, int32_t, const int8_t*, int32_t, int32_t, int32_t*, int32_t);
void dot_avx512_vnni(const uint8_t*, int32_t, int32_t, const int8_t*, int32_t, int32_t, int32_t*,
                     int32_t);
void dot_wasm_simd128(const uint8_t*, int32_t, int32_t, const int8_t*, int32_t, int32_t, int32_t*,
                      int32_t);
void dot_wasm_relaxed_simd(const uint8_t*, int32_t, int32_t, const int8_t*, int32_t, int32_t,
                           int32_t*, int32_t);

}  // namespace minibert::infer

// The int8 dot products, once for each instruction set; all give the same int32 sums.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minibert::infer {

enum class Kernel { scalar, avx2, avx512_vnni, wasm_simd128, wasm_relaxed_simd };

// The best kernel that is both compiled in and understood by this machine.
Kernel best_kernel();
bool available(Kernel kernel);
const char* name(Kernel kernel);

}  // namespace minibert::infer

// The int8 dot products (infer/kernels/dot_kernels.h) that this machine can run.
#pragma once

#include <vector>

#include "infer/kernels/dot_kernels.h"

namespace minibert::infer {

enum class Kernel {
  scalar,
  avx2,
  avx512_vnni,
  wasm_simd128,
  wasm_relaxed_simd16,
  wasm_relaxed_simd
};

// The best kernel that is both compiled in and supported by this machine.
Kernel best_kernel();
bool available(Kernel kernel);
std::vector<Kernel> available_kernels();  // from best to plainest
const char* name(Kernel kernel);

// Requires available(kernel).
DotKernel dot_kernel(Kernel kernel);

// Makes a relaxed-SIMD kernel available. Their code is a module of its own, because a module with
// an instruction that the browser lacks does not start; whoever could start it hands its functions
// over. False, and nothing is added, where it gives other sums than the scalar kernel (some
// baseline compilers got the instruction wrong, Node 20's), and for a kernel of another kind.
bool add_relaxed_simd_kernel(Kernel kernel, DotKernel dot);

}  // namespace minibert::infer

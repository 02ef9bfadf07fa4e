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

// Returns the best kernel that is compiled in and that this machine supports.
Kernel best_kernel();
bool available(Kernel kernel);
std::vector<Kernel> available_kernels();  // from best to plainest
const char* name(Kernel kernel);

// Requires available(kernel).
DotKernel dot_kernel(Kernel kernel);

// Makes a relaxed-SIMD kernel available. Such kernels are a module of their own, because a module
// with an instruction that the browser lacks does not start; the caller starts it and passes its
// functions. Returns false, and adds nothing, for another kind of kernel and if its sums differ
// from the scalar kernel's (some baseline compilers got the instruction wrong, Node 20's).
bool add_relaxed_simd_kernel(Kernel kernel, DotKernel dot);

}  // namespace minibert::infer

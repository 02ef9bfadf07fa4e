// A second thread for matrix products of large models, if the browser lets threads share memory.
#pragma once

#include "infer/kernels/dot_kernels.h"

namespace minibert::infer {

// Returns a kernel that computes like `dot`, a relaxed-SIMD kernel, but gives half of a large
// product to the helper while there is one. The sums are equal.
DotKernel with_helper(DotKernel dot, bool in16);

bool helper_is_there();

}  // namespace minibert::infer

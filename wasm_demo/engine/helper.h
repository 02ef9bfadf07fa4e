// A second thread for the matrix products of large models, where the browser lets threads share memory.
#pragma once

#include "infer/kernels/dot_kernels.h"

namespace minibert::infer {

// `dot`, a relaxed-SIMD kernel, but half of a large product goes to the helper while there is one. The
// sums are the same.
DotKernel with_helper(DotKernel dot, bool in16);

bool helper_is_there();

}  // namespace minibert::infer

// Which int8 kernel is fastest for a model on this machine: names of instruction sets do not tell
// it in a browser, where the same instruction is one on one processor and many on another.
#pragma once

#include "infer/kernels.h"
#include "infer/model.h"

namespace minibert::infer {

// The available kernel that encodes a short text fastest, measured for some ten milliseconds; the
// best by name where there is nothing to choose. All give the same numbers.
Kernel fastest_kernel(const Model& model);

}  // namespace minibert::infer

// What a processor can multiply, for how much of it a training run uses.
#pragma once

#include <torch/types.h>

namespace minibert::bench {

// Operations a second of the fastest of some products of square matrices of `type`, on the threads
// that ATen has, or on a device.
double matrix_peak(torch::ScalarType type, torch::Device device = torch::kCPU);

}  // namespace minibert::bench

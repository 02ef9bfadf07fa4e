// Measures a processor's peak rate of products, to tell how much of it a training run uses.
#pragma once

#include <torch/types.h>

namespace minibert::bench {

// Returns the operations a second of the fastest of several products of square matrices of `type`,
// on ATen's threads or on a device.
double matrix_peak(torch::ScalarType type, torch::Device device = torch::kCPU);

}  // namespace minibert::bench

// Every operation with a form of our own, with inputs for comparing the forms.
#pragma once

#include <vector>

#include "model/gradients.h"

namespace minibert {

struct OperationCase {
  const char* name;
  TensorList inputs;    // float32, on the CPU
  size_t activations;   // the number of leading inputs in the type of the matrix products
  Operation operation;  // computes on its inputs' device
};

// The sizes fill no vector register and no block of rows; most are large enough for several
// threads.
std::vector<OperationCase> operation_cases();

// Returns the inputs with these types on this device.
TensorList with_types(const OperationCase& one, torch::ScalarType activations,
                      torch::ScalarType weights, torch::Device device = torch::kCPU);

// Requires that values and gradients differ by less than the tolerance, as a share of the largest.
void require_close(const Pass& ours, const Pass& theirs, double tolerance);

}  // namespace minibert

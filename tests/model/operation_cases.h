// Every operation that has a form of our own, with inputs: what the forms are compared on.
#pragma once

#include <vector>

#include "model/gradients.h"

namespace minibert {

struct OperationCase {
  const char* name;
  TensorList inputs;    // float32, of the CPU
  size_t activations;   // the first so many have the type of the matrix products
  Operation operation;  // computes where its inputs are
};

// The sizes fill no vector register and no block of rows; most are large enough for several threads.
std::vector<OperationCase> operation_cases();

// The inputs with these types, on this device.
TensorList with_types(const OperationCase& one, torch::ScalarType activations,
                      torch::ScalarType weights, torch::Device device = torch::kCPU);

// Requires that values and gradients differ by less than the tolerance, as a share of the largest.
void require_close(const Pass& ours, const Pass& theirs, double tolerance);

}  // namespace minibert

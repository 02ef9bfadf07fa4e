// Finds the fastest int8 kernel for a model on this machine. In a browser, names of instruction
// sets do not tell: an instruction may be one on one processor and many on another.
#pragma once

#include <vector>

#include "infer/engine/model.h"
#include "infer/kernels/kernels.h"

namespace minibert::infer {

// Times the available kernels on a short text. All give the same numbers.
class KernelTimes {
 public:
  // `model` must outlive this object.
  explicit KernelTimes(const Model& model);

  // Takes some milliseconds a kernel, and none if there is one kernel. A browser optimizes code
  // only after it has run for a while: measure again later.
  void measure();

  // Returns the kernel with the shortest time so far; before any measurement, the best by name.
  Kernel fastest() const;

 private:
  const Model& model_;
  std::vector<Kernel> kernels_;  // empty: only one
  std::vector<double> seconds_;
};

}  // namespace minibert::infer

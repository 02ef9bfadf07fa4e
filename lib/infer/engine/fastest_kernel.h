// Finds the int8 kernel that is fastest for a model on this machine. In a browser the names of
// instruction sets do not tell: the same instruction is one on one processor and many on another.
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

  // Takes some milliseconds a kernel, and none where there is nothing to choose. A browser compiles
  // code well only after it ran for a while, so measure again, and again later.
  void measure();

  // Returns the kernel with the shortest time so far; before any time, the best by name.
  Kernel fastest() const;

 private:
  const Model& model_;
  std::vector<Kernel> kernels_;  // empty: nothing to choose
  std::vector<double> seconds_;
};

}  // namespace minibert::infer

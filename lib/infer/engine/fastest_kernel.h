// Which int8 kernel is fastest for a model on this machine: names of instruction sets do not tell
// it in a browser, where the same instruction is one on one processor and many on another.
#pragma once

#include <vector>

#include "infer/engine/model.h"
#include "infer/kernels/kernels.h"

namespace minibert::infer {

// The available kernels' times for a short text. All give the same numbers.
class KernelTimes {
 public:
  // `model` must outlive this object.
  explicit KernelTimes(const Model& model);

  // Some milliseconds a kernel; a model with nothing to choose takes none. A browser compiles code
  // well only after it ran for a while: measure again, and again later.
  void measure();

  // The one with the shortest time so far; before any, the best by name.
  Kernel fastest() const;

 private:
  const Model& model_;
  std::vector<Kernel> kernels_;  // empty: nothing to choose
  std::vector<double> seconds_;
};

}  // namespace minibert::infer

// Shared by the operations' forms for a device.
#pragma once

#include "core/torch.h"

namespace minibert {

// A device's fastest products begin and end at multiples of this many elements of two bytes.
inline constexpr int64_t kAligned = 8;

// While an object lives, a device sums in any order. Use it only if every result gets at most one
// addend other than 0: then every order gives the same bits, and the device need not sort the
// addends first.
class OneAddend {
 public:
  OneAddend() : before_(at::globalContext().deterministicAlgorithms()) { set(false); }
  ~OneAddend() { set(before_); }
  OneAddend(const OneAddend&) = delete;
  OneAddend& operator=(const OneAddend&) = delete;

 private:
  static void set(bool fixed) {
    at::globalContext().setDeterministicAlgorithms(fixed, /*warn_only=*/false);
  }
  const bool before_;
};

}  // namespace minibert

// What the operations' forms for a device share.
#pragma once

#include "core/torch.h"

namespace minibert {

// Where a device's fastest products begin and end: at multiples of so many elements of two bytes.
inline constexpr int64_t kAligned = 8;

// While an object lives, sums on a device are made in any order. For those alone whose every number gets at most one
// addend that is not 0, which have the same bits in any order: in a fixed one a device must sort them first.
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

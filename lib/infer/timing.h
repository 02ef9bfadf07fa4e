// How long the parts of a result took.
#pragma once

#include <chrono>

namespace minibert::infer {

struct Timing {
  double tokenize_ms = 0, encoder_ms = 0, output_ms = 0;
};

class Clock {
 public:
  // Milliseconds since the start or the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - start_).count();
    start_ = now;
    return ms;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace minibert::infer

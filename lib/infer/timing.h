// Counts and times of reading a text.
#pragma once

#include <chrono>
#include <cstdint>

namespace minibert::infer {

struct Timing {
  double tokenize_ms = 0, encoder_ms = 0, output_ms = 0;
};

// Counts of a text that may have been read in windows.
struct TextReading {
  uint32_t pieces = 0;  // in the text (and a second one), in all
  uint32_t read = 0;    // pieces that were read; for a single text all
  Timing timing;
};

class Clock {
 public:
  // Returns the milliseconds since the start or the last call.
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

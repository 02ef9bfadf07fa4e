// How a text was read for a result, and how long it took.
#pragma once

#include <chrono>
#include <cstdint>

namespace minibert::infer {

struct Timing {
  double tokenize_ms = 0, encoder_ms = 0, output_ms = 0;
};

// How a text was read, in windows where it is long.
struct TextReading {
  uint32_t pieces = 0;  // of the text (and a second one), however long
  uint32_t read = 0;    // so many of these pieces; of a single text all
  Timing timing;
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

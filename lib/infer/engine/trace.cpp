#include "infer/engine/trace.h"

#include <cmath>

#include "rules/relative_bucket.h"

namespace minibert::infer {

void trace_taps(const float* value_SD, int32_t length, const Matrix& weight, Trace* trace) {
  const int32_t d = weight.cols, middle = weight.rows / 2;
  for (int32_t s = 0; s < length; ++s)
    for (int32_t tap = 0; tap < weight.rows; ++tap) {
      const int32_t from = s + tap - middle;
      float squares = 0;
      for (int32_t i = 0; i < d && from >= 0 && from < length; ++i) {
        const float added = weight.float32[int64_t(tap) * d + i] * value_SD[int64_t(from) * d + i];
        squares += added * added;
      }
      trace->taps_LSK.push_back(std::sqrt(squares));
    }
}

void trace_offsets(const Matrix& offsets, int32_t length, Trace* trace) {
  for (int32_t head = 0; head < offsets.rows; ++head)
    for (int32_t offset = 1 - length; offset < length; ++offset)
      trace->offsets_AHO.push_back(
          offsets.float32[int64_t(head) * offsets.cols + relative_bucket(offset)]);
}

}  // namespace minibert::infer

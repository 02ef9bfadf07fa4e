#include "infer/engine/convolution.h"

#include <algorithm>

#include "infer/kernels/vector_math.h"

namespace minibert::infer {
namespace {

// Channels [at, at + 4 C) of R positions in a row: a tap's weights are loaded once for all of them.
// x and y point to the first position; taps [first, end) are all inside the sentence.
template <int R, int C>
void convolve_tile(const float* x, const Matrix& weight, int32_t first, int32_t end, int32_t at,
                   float* y) {
  const int64_t channels = weight.cols, middle = weight.rows / 2;
  F32x4 sums[R][C] = {};
  for (int32_t tap = first; tap < end; ++tap) {
    const float* taps = weight.float32 + tap * channels + at;
    const float* from = x + (tap - middle) * channels + at;
    for (int j = 0; j < C; ++j) {
      const F32x4 factor = load4(taps + 4 * j);
      for (int r = 0; r < R; ++r) sums[r][j] += factor * load4(from + r * channels + 4 * j);
    }
  }
  for (int r = 0; r < R; ++r)
    for (int j = 0; j < C; ++j) store4(y + r * channels + at + 4 * j, sums[r][j]);
}

template <int R>
void convolve_rows(const float* x, const Matrix& weight, int32_t first, int32_t end, float* y) {
  const int64_t channels = weight.cols, middle = weight.rows / 2;
  int32_t at = 0;
  for (; at + 8 <= channels; at += 8) convolve_tile<R, 2>(x, weight, first, end, at, y);
  for (; at + 4 <= channels; at += 4) convolve_tile<R, 1>(x, weight, first, end, at, y);
  for (; at < channels; ++at)
    for (int r = 0; r < R; ++r) {
      float sum = 0;
      for (int32_t tap = first; tap < end; ++tap)
        sum += weight.float32[tap * channels + at] * x[(r + tap - middle) * channels + at];
      y[r * channels + at] = sum;
    }
}

}  // namespace

void convolve(const float* x, int32_t length, const Matrix& weight,
              std::span<const int32_t> positions, float* y) {
  constexpr int32_t kTogether = 4;
  const int64_t channels = weight.cols;
  const int32_t taps = weight.rows, middle = taps / 2;
  const auto rows = static_cast<int32_t>(positions.size());
  for (int32_t r = 0; r < rows;) {
    const int32_t at = positions[static_cast<size_t>(r)], last = at + kTogether - 1;
    const float* from = x + at * channels;
    if (at >= middle && last + middle < length && r + kTogether <= rows &&
        positions[static_cast<size_t>(r + kTogether - 1)] == last) {
      convolve_rows<kTogether>(from, weight, 0, taps, y + r * channels);
      r += kTogether;
    } else {
      convolve_rows<1>(from, weight, std::max(0, middle - at), std::min(taps, length - at + middle),
                       y + r * channels);
      ++r;
    }
  }
}

}  // namespace minibert::infer

// The loops around an instruction set's dot product: tiles of rows × outputs stay in registers.
//
// An Isa has the types Weights and Accumulator; kStep, the products that one step takes (a divisor
// of kActivationAlign, at most mbq::kTail); kRows, the rows of a tile of four outputs that fits its
// registers; zero, load_weights, load_activations, dot; total (the sum of an accumulator's lanes)
// and store4 (the totals of four accumulators). Include this only in a file of one instruction set
// and give Isa internal linkage, so that no other file gets code compiled for that set.
#pragma once

#include <stdint.h>

namespace minibert::infer {

template <class Isa, int R, int C>
inline void dot_tile(const uint8_t* activations, int32_t stride, const int8_t* weights,
                     int32_t k_size, int32_t* sums, int32_t ld) {
  typename Isa::Accumulator totals[R][C];
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c) totals[r][c] = Isa::zero();
  for (int32_t k = 0; k < k_size; k += Isa::kStep) {
    typename Isa::Weights w[C];
    for (int c = 0; c < C; ++c) w[c] = Isa::load_weights(weights + int64_t(c) * k_size + k);
    for (int r = 0; r < R; ++r) {
      const auto a = Isa::load_activations(activations + int64_t(r) * stride + k);
      for (int c = 0; c < C; ++c) totals[r][c] = Isa::dot(totals[r][c], a, w[c]);
    }
  }
  for (int r = 0; r < R; ++r) {
    if constexpr (C == 4) {
      Isa::store4(totals[r], sums + int64_t(r) * ld);
    } else {
      for (int c = 0; c < C; ++c) sums[int64_t(r) * ld + c] = Isa::total(totals[r][c]);
    }
  }
}

template <class Isa, int C>
inline void dot_rows(const uint8_t* activations, int32_t stride, int32_t rows,
                     const int8_t* weights, int32_t k_size, int32_t* sums, int32_t ld) {
  int32_t m = 0;
  for (; m + Isa::kRows <= rows; m += Isa::kRows)
    dot_tile<Isa, Isa::kRows, C>(activations + int64_t(m) * stride, stride, weights, k_size,
                                 sums + int64_t(m) * ld, ld);
  for (; m < rows; ++m)
    dot_tile<Isa, 1, C>(activations + int64_t(m) * stride, stride, weights, k_size,
                        sums + int64_t(m) * ld, ld);
}

template <class Isa>
inline void dot_matrix(const uint8_t* activations, int32_t stride, int32_t rows,
                       const int8_t* weights, int32_t outputs, int32_t k_size, int32_t* sums,
                       int32_t ld) {
  int32_t n = 0;
  for (; n + 4 <= outputs; n += 4)
    dot_rows<Isa, 4>(activations, stride, rows, weights + int64_t(n) * k_size, k_size, sums + n,
                     ld);
  for (; n < outputs; ++n)
    dot_rows<Isa, 1>(activations, stride, rows, weights + int64_t(n) * k_size, k_size, sums + n,
                     ld);
}

}  // namespace minibert::infer

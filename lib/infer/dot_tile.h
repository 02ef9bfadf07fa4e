// The loops around an instruction set's dot product: tiles of rows × outputs stay in registers.
//
// An Isa has the types Weights, Activations and Accumulator; kStep, the products that one step
// takes (a divisor of kActivationAlign, at most mbq::kTail); kRows and kFineRows, the rows of a
// tile of four outputs that fits its registers; zero, load_weights, load_activations, dot; total
// (the sum of an accumulator's lanes) and store4 (the totals of four accumulators). For two-byte
// activations it has either load_fine (128 high + low at once, kWide) or combine (128 high + low of
// accumulators). Include this only in a file of one instruction set and give Isa internal linkage,
// so that no other file gets code compiled for that set.
#pragma once

#include <stdint.h>

namespace minibert::infer {

inline constexpr int32_t kWidenedInner = 1024;  // the most columns that are widened at once

// Where activations lie: row m at row0 + m · stride, its low bytes `low` behind (0: none).
struct ActivationRows {
  const uint8_t* row0;
  int32_t low;
  int32_t stride;
  const uint8_t* at(int32_t row, int32_t k) const { return row0 + int64_t(row) * stride + k; }
  ActivationRows from(int32_t row) const { return {at(row, 0), low, stride}; }
};

// kFine: with low bytes. Weights: as stored, or widened by the Isa; rows `weight_stride` apart.
template <class Isa, bool kFine, int R, int C, class Weight>
inline void dot_tile(const ActivationRows& rows, const Weight* weights, int32_t weight_stride,
                     int32_t k_size, int32_t* sums, int32_t ld) {
  constexpr bool kSplit = kFine && !Isa::kWide;
  typename Isa::Accumulator totals[R][C], low_totals[kSplit ? R : 1][C];
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c) {
      totals[r][c] = Isa::zero();
      if constexpr (kSplit) low_totals[r][c] = Isa::zero();
    }
  for (int32_t k = 0; k < k_size; k += Isa::kStep) {
    typename Isa::Weights w[C];
    for (int c = 0; c < C; ++c) w[c] = Isa::load_weights(weights + int64_t(c) * weight_stride + k);
    for (int r = 0; r < R; ++r) {
      const uint8_t* from = rows.at(r, k);
      typename Isa::Activations a;
      if constexpr (kFine && Isa::kWide) {
        a = Isa::load_fine(from, from + rows.low);
      } else {
        a = Isa::load_activations(from);
      }
      for (int c = 0; c < C; ++c) totals[r][c] = Isa::dot(totals[r][c], a, w[c]);
      if constexpr (kSplit) {
        a = Isa::load_activations(from + rows.low);
        for (int c = 0; c < C; ++c) low_totals[r][c] = Isa::dot(low_totals[r][c], a, w[c]);
      }
    }
  }
  for (int r = 0; r < R; ++r) {
    if constexpr (kSplit)
      for (int c = 0; c < C; ++c) totals[r][c] = Isa::combine(totals[r][c], low_totals[r][c]);
    if constexpr (C == 4) {
      Isa::store4(totals[r], sums + int64_t(r) * ld);
    } else {
      for (int c = 0; c < C; ++c) sums[int64_t(r) * ld + c] = Isa::total(totals[r][c]);
    }
  }
}

template <class Isa, bool kFine, int C, class Weight>
inline void dot_rows(const ActivationRows& from, int32_t rows, const Weight* weights,
                     int32_t weight_stride, int32_t k_size, int32_t* sums, int32_t ld) {
  constexpr int kRows = kFine ? Isa::kFineRows : Isa::kRows;
  int32_t m = 0;
  for (; m + kRows <= rows; m += kRows)
    dot_tile<Isa, kFine, kRows, C>(from.from(m), weights, weight_stride, k_size,
                                   sums + int64_t(m) * ld, ld);
  for (; m < rows; ++m)
    dot_tile<Isa, kFine, 1, C>(from.from(m), weights, weight_stride, k_size, sums + int64_t(m) * ld,
                               ld);
}

template <class Isa, bool kFine>
inline void dot_outputs(const ActivationRows& from, int32_t rows, const int8_t* weights,
                        int32_t outputs, int32_t k_size, int32_t* sums, int32_t ld) {
  int32_t n = 0;
  if constexpr (Isa::kWide) {
    // Four outputs' weights are widened once for many rows.
    alignas(16) int16_t widened[4 * kWidenedInner];
    if (rows > Isa::kRows && k_size <= kWidenedInner)
      for (; n + 4 <= outputs; n += 4) {
        const int32_t stride = Isa::widen(weights + int64_t(n) * k_size, k_size, widened);
        dot_rows<Isa, kFine, 4>(from, rows, widened, stride, k_size, sums + n, ld);
      }
  }
  for (; n + 4 <= outputs; n += 4)
    dot_rows<Isa, kFine, 4>(from, rows, weights + int64_t(n) * k_size, k_size, k_size, sums + n,
                            ld);
  for (; n < outputs; ++n)
    dot_rows<Isa, kFine, 1>(from, rows, weights + int64_t(n) * k_size, k_size, k_size, sums + n,
                            ld);
}

template <class Isa>
inline void dot_matrix(const uint8_t* activations, int32_t low, int32_t stride, int32_t rows,
                       const int8_t* weights, int32_t outputs, int32_t k_size, int32_t* sums,
                       int32_t ld) {
  const ActivationRows from{activations, low, stride};
  if (low != 0) {
    dot_outputs<Isa, true>(from, rows, weights, outputs, k_size, sums, ld);
  } else {
    dot_outputs<Isa, false>(from, rows, weights, outputs, k_size, sums, ld);
  }
}

}  // namespace minibert::infer

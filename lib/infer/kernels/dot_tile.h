// The loops around an instruction set's dot product: tiles of rows × outputs stay in registers.
//
// An Isa has the types Weights, Activations and Accumulator; kStep, the products that one step
// takes (a divisor of kActivationAlign, at most mbq::kTail); kRows and kFineRows, the rows of a
// tile of four outputs that fits its registers; zero, load_weights, load_activations, dot; total
// (the sum of an accumulator's lanes) and store4 (the totals of four accumulators). For two-byte
// activations it has either load_fine (128 high + low at once, kWide) or combine (128 high + low of
// accumulators). With kPanels it has copy_step, which copies the bytes of load_weights. Include
// this only in a file of one instruction set and give Isa internal linkage, so that no other file
// gets code compiled for that set.
#pragma once

#include <stdint.h>

#include "infer/kernels/dot_kernels.h"

// WebAssembly passes a structure through the stack, which the kernels must not have: they run on
// the engine's memory, two threads at once. Functions that take one are inlined.
#define MINIBERT_DOT_INLINE inline __attribute__((always_inline))

namespace minibert::infer {

// Activations: row m is at row0 + m · stride, its low bytes `low` behind it (0: none).
struct ActivationRows {
  const uint8_t* row0;
  int32_t low;
  int32_t stride;
  const uint8_t* at(int32_t row, int32_t k) const { return row0 + int64_t(row) * stride + k; }
  ActivationRows from(int32_t row) const { return {at(row, 0), low, stride}; }
};

// kFine: with low bytes. kPanel: the weights of one step are contiguous for the C outputs;
// otherwise each output's weights are.
template <class Isa, bool kFine, bool kPanel, int R, int C>
MINIBERT_DOT_INLINE void dot_tile(const ActivationRows& rows, const int8_t* weights, int32_t k_size,
                                  int32_t* sums, int32_t ld) {
  constexpr bool kSplit = kFine && !Isa::kWide;
  typename Isa::Accumulator totals[R][C], low_totals[kSplit ? R : 1][C];
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c) {
      totals[r][c] = Isa::zero();
      if constexpr (kSplit) low_totals[r][c] = Isa::zero();
    }
  for (int32_t k = 0; k < k_size; k += Isa::kStep) {
    typename Isa::Weights w[C];
    for (int c = 0; c < C; ++c)
      w[c] = Isa::load_weights(
          weights + (kPanel ? int64_t(k) * C + c * Isa::kStep : int64_t(c) * k_size + k));
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

template <class Isa, bool kFine, bool kPanel, int C>
MINIBERT_DOT_INLINE void dot_rows(const ActivationRows& from, int32_t rows, const int8_t* weights,
                                  int32_t k_size, int32_t* sums, int32_t ld) {
  constexpr int kRows = kFine ? Isa::kFineRows : Isa::kRows;
  int32_t m = 0;
  for (; m + kRows <= rows; m += kRows)
    dot_tile<Isa, kFine, kPanel, kRows, C>(from.from(m), weights, k_size, sums + int64_t(m) * ld,
                                           ld);
  for (; m < rows; ++m)
    dot_tile<Isa, kFine, kPanel, 1, C>(from.from(m), weights, k_size, sums + int64_t(m) * ld, ld);
}

inline constexpr int32_t kLongInner = 256;  // columns of a weight row that is seldom in the cache

// With a workspace, the weights of every four outputs are copied there before many or long rows use
// them: one sequential read from memory is faster than a step at a time from four places.
template <class Isa, bool kFine>
MINIBERT_DOT_INLINE void dot_outputs(const ActivationRows& from, int32_t rows,
                                     const int8_t* weights, int32_t outputs, int32_t k_size,
                                     int32_t* sums, int32_t ld,
                                     [[maybe_unused]] int16_t* workspace = nullptr) {
  int32_t n = 0;
  if constexpr (Isa::kPanels) {
    constexpr int32_t kMostSteps = kDotWorkspace / (2 * Isa::kStep);  // for four outputs
    int8_t* panel = reinterpret_cast<int8_t*>(workspace);
    if (workspace != nullptr && (rows >= 4 * Isa::kRows || k_size >= kLongInner) &&
        k_size <= kMostSteps * Isa::kStep)
      for (; n + 4 <= outputs; n += 4) {
        for (int32_t c = 0; c < 4; ++c)
          for (int32_t k = 0; k < k_size; k += Isa::kStep)
            Isa::copy_step(weights + int64_t(n + c) * k_size + k, panel + 4 * k + c * Isa::kStep);
        dot_rows<Isa, kFine, true, 4>(from, rows, panel, k_size, sums + n, ld);
      }
  }
  for (; n + 4 <= outputs; n += 4)
    dot_rows<Isa, kFine, false, 4>(from, rows, weights + int64_t(n) * k_size, k_size, sums + n, ld);
  for (; n < outputs; ++n)
    dot_rows<Isa, kFine, false, 1>(from, rows, weights + int64_t(n) * k_size, k_size, sums + n, ld);
}

template <class Isa>
MINIBERT_DOT_INLINE void dot_matrix(const uint8_t* activations, int32_t low, int32_t stride,
                                    int32_t rows, const int8_t* weights, int32_t outputs,
                                    int32_t k_size, int32_t* sums, int32_t ld, int16_t* workspace) {
  const ActivationRows from{activations, low, stride};
  if (low != 0) {
    dot_outputs<Isa, true>(from, rows, weights, outputs, k_size, sums, ld, workspace);
  } else {
    dot_outputs<Isa, false>(from, rows, weights, outputs, k_size, sums, ld, workspace);
  }
}

}  // namespace minibert::infer

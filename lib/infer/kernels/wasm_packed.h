// Products of bytes for WASM with an instruction for four of them and their sum: for every four
// columns the weights of four outputs are contiguous, so that a lane is one output and needs no sum
// across lanes. Internal linkage, as in infer/kernels/wasm_lanes.h.
#pragma once

#include <stdint.h>
#include <wasm_simd128.h>

#include "infer/kernels/dot_kernels.h"
#include "infer/kernels/dot_tile.h"
#include "infer/kernels/wasm_lanes.h"

namespace minibert::infer {
namespace {

// Vectors of four outputs in a tile. Twelve accumulators (with low bytes or a second row) hide the
// instruction's latency of five cycles, two a cycle, and leave registers for the operands.
constexpr int32_t kPackedVectors = 6;
constexpr int32_t kPackedRows = 8;  // fewer are not worth the packing

// `outputs` (a multiple of four) rows of weights -> [k_size / 4 rounded up, outputs, 4].
inline void pack_weights(const int8_t* from, int32_t k_size, int32_t outputs, int8_t* to) {
  const int32_t line = 4 * outputs;
  for (int32_t k = 0; k < k_size; k += 16, to += 4 * line)
    for (int32_t c = 0; c < outputs; c += 4) {
      const auto load = [&](int32_t n) {
        return wasm_v128_load(from + int64_t(c + n) * k_size + k);
      };
      store_transposed(load(0), load(1), load(2), load(3), to + 4 * c, line);
    }
}

// R rows of 4 C outputs, from packed weights.
template <class Isa, bool kFine, int R, int C>
MINIBERT_DOT_INLINE void packed_tile(const ActivationRows& rows, const int8_t* weights,
                                     int32_t k_size, int32_t* sums, int32_t ld) {
  v128_t totals[R][C], low_totals[kFine ? R : 1][C];
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c) {
      totals[r][c] = Isa::zero();
      if constexpr (kFine) low_totals[r][c] = Isa::zero();
    }
  for (int32_t k = 0; k < k_size; k += 4, weights += 16 * C) {
    v128_t a[R], low[R];
    for (int r = 0; r < R; ++r) {
      a[r] = wasm_v128_load32_splat(rows.at(r, k));
      if constexpr (kFine) low[r] = wasm_v128_load32_splat(rows.at(r, k) + rows.low);
    }
    for (int c = 0; c < C; ++c) {
      const v128_t w = wasm_v128_load(weights + 16 * c);
      for (int r = 0; r < R; ++r) {
        totals[r][c] = Isa::dot(totals[r][c], a[r], w);
        if constexpr (kFine) low_totals[r][c] = Isa::dot(low_totals[r][c], low[r], w);
      }
    }
  }
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c) {
      if constexpr (kFine) totals[r][c] = Isa::combine(totals[r][c], low_totals[r][c]);
      wasm_v128_store(sums + int64_t(r) * ld + 4 * c, totals[r][c]);
    }
}

// Computes all rows of `vectors` times four outputs.
template <class Isa, bool kFine, int C = kPackedVectors>
MINIBERT_DOT_INLINE void packed_rows(int32_t vectors, const ActivationRows& from, int32_t rows,
                                     const int8_t* weights, int32_t k_size, int32_t* sums,
                                     int32_t ld) {
  if constexpr (C > 1) {
    if (vectors < C)
      return packed_rows<Isa, kFine, C - 1>(vectors, from, rows, weights, k_size, sums, ld);
  }
  constexpr int R = kFine ? 1 : 2;
  int32_t m = 0;
  for (; m + R <= rows; m += R)
    packed_tile<Isa, kFine, R, C>(from.from(m), weights, k_size, sums + int64_t(m) * ld, ld);
  for (; m < rows; ++m)
    packed_tile<Isa, kFine, 1, C>(from.from(m), weights, k_size, sums + int64_t(m) * ld, ld);
}

// The dot product of infer/kernels/dot_kernels.h.
template <class Isa, bool kFine>
MINIBERT_DOT_INLINE void dot_packed(const ActivationRows& from, int32_t rows, const int8_t* weights,
                                    int32_t outputs, int32_t k_size, int32_t* sums, int32_t ld,
                                    int16_t* workspace) {
  constexpr int32_t kMostColumns = 2 * kDotWorkspace / (4 * kPackedVectors) & ~15;
  int32_t n = 0;
  if (rows >= kPackedRows && k_size <= kMostColumns) {
    int8_t* packed = reinterpret_cast<int8_t*>(workspace);
    int32_t vectors = outputs / 4, tiles = (vectors + kPackedVectors - 1) / kPackedVectors;
    for (; tiles > 0; --tiles) {
      const int32_t count = (vectors + tiles - 1) / tiles;  // tiles of about one size
      pack_weights(weights + int64_t(n) * k_size, k_size, 4 * count, packed);
      packed_rows<Isa, kFine>(count, from, rows, packed, k_size, sums + n, ld);
      n += 4 * count;
      vectors -= count;
    }
  }
  dot_outputs<Isa, kFine>(from, rows, weights + int64_t(n) * k_size, outputs - n, k_size, sums + n,
                          ld, workspace);
}

}  // namespace
}  // namespace minibert::infer

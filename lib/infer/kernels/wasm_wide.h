// Products of 16-bit numbers on WASM: i32x4.dot_i16x8_s adds two products a lane, and a number
// holds fourteen bits of an activation. Bytes are widened and ordered first: for every pair of
// columns four rows (or outputs) are contiguous, so that a lane is one output and needs no sum
// across lanes. Internal linkage, as in infer/kernels/wasm_lanes.h.
#pragma once

#include <stdint.h>
#include <wasm_simd128.h>

#include "infer/kernels/dot_kernels.h"
#include "infer/kernels/dot_tile.h"
#include "infer/kernels/wasm_lanes.h"

namespace minibert::infer {
namespace {

constexpr int32_t kWideRows = 32, kWideOutputs = 8;  // in the workspace together
constexpr int32_t kWideInner = kDotWorkspace / (kWideRows + kWideOutputs);
constexpr int32_t kTileRows = 4;  // with kWideOutputs: eight accumulators, of sixteen registers

template <bool kFine>
MINIBERT_DOT_INLINE v128_t load_wide(const ActivationRows& rows, int32_t row, int32_t k) {
  const uint8_t* from = rows.at(row, k);
  const v128_t high = wasm_u16x8_load8x8(from);
  if constexpr (!kFine) return high;
  return wasm_v128_or(wasm_i16x8_shl(high, 7), wasm_u16x8_load8x8(from + rows.low));
}

// kTileRows rows, columns [k, k + count) -> [count / 2, kTileRows, 2].
template <bool kFine>
MINIBERT_DOT_INLINE void widen_rows(const ActivationRows& rows, int32_t k, int32_t count,
                                    int16_t* to) {
  for (const int32_t end = k + count; k < end; k += 8, to += 8 * kTileRows)
    store_transposed(load_wide<kFine>(rows, 0, k), load_wide<kFine>(rows, 1, k),
                     load_wide<kFine>(rows, 2, k), load_wide<kFine>(rows, 3, k), to, 4 * kTileRows);
}

// `count` columns of kWideOutputs outputs -> [count / 2, kWideOutputs, 2].
void widen_weights(const int8_t* from, int32_t k_size, int32_t count, int16_t* to) {
  for (int32_t k = 0; k < count; k += 8, to += 8 * kWideOutputs)
    for (int32_t c = 0; c < kWideOutputs; c += 4) {
      const auto load = [&](int32_t n) {
        return wasm_i16x8_load8x8(from + int64_t(c + n) * k_size + k);
      };
      store_transposed(load(0), load(1), load(2), load(3), to + 2 * c, 4 * kWideOutputs);
    }
}

// sums [kTileRows, kWideOutputs] = (or, with `add`, +=) the products of `count` columns.
void wide_tile(const int16_t* activations, const int16_t* weights, int32_t count, bool add,
               int32_t* sums, int32_t ld) {
  constexpr int32_t kVectors = kWideOutputs / 4;
  v128_t totals[kTileRows][kVectors];
  for (int r = 0; r < kTileRows; ++r)
    for (int c = 0; c < kVectors; ++c)
      totals[r][c] = add ? wasm_v128_load(sums + int64_t(r) * ld + 4 * c) : wasm_i32x4_splat(0);
  for (int32_t k = 0; k < count;
       k += 2, activations += 2 * kTileRows, weights += 2 * kWideOutputs) {
    v128_t w[kVectors];
    for (int c = 0; c < kVectors; ++c) w[c] = wasm_v128_load(weights + 8 * c);
    for (int r = 0; r < kTileRows; ++r) {
      const v128_t a = wasm_v128_load32_splat(activations + 2 * r);
      for (int c = 0; c < kVectors; ++c)
        totals[r][c] = wasm_i32x4_add(totals[r][c], wasm_i32x4_dot_i16x8(a, w[c]));
    }
  }
  for (int r = 0; r < kTileRows; ++r)
    for (int c = 0; c < kVectors; ++c)
      wasm_v128_store(sums + int64_t(r) * ld + 4 * c, totals[r][c]);
}

// Computes the products of `rows` (a multiple of kTileRows) and `outputs` (of kWideOutputs).
template <bool kFine>
MINIBERT_DOT_INLINE void wide_tiles(const ActivationRows& from, int32_t rows, const int8_t* weights,
                                    int32_t outputs, int32_t k_size, int32_t* sums, int32_t ld,
                                    int16_t* workspace) {
  int16_t* widened = workspace + kWideRows * kWideInner;
  for (int32_t k = 0; k < k_size; k += kWideInner) {
    const int32_t rest = k_size - k, count = rest < kWideInner ? (rest + 7) & ~7 : kWideInner;
    for (int32_t m = 0; m < rows; m += kTileRows)
      widen_rows<kFine>(from.from(m), k, count, workspace + m * count);
    for (int32_t n = 0; n < outputs; n += kWideOutputs) {
      widen_weights(weights + int64_t(n) * k_size + k, k_size, count, widened);
      for (int32_t m = 0; m < rows; m += kTileRows)
        wide_tile(workspace + m * count, widened, count, k > 0, sums + int64_t(m) * ld + n, ld);
    }
  }
}

// The dot product of infer/kernels/dot_kernels.h. Isa (see infer/kernels/dot_tile.h) computes what
// whole tiles leave over.
template <class Isa, bool kFine>
MINIBERT_DOT_INLINE void dot_wide(const ActivationRows& from, int32_t rows, const int8_t* weights,
                                  int32_t outputs, int32_t k_size, int32_t* sums, int32_t ld,
                                  int16_t* workspace) {
  const int32_t whole_rows = rows - rows % kTileRows, whole = outputs - outputs % kWideOutputs;
  for (int32_t m = 0; m < whole_rows; m += kWideRows) {
    const int32_t count = whole_rows - m < kWideRows ? whole_rows - m : kWideRows;
    wide_tiles<kFine>(from.from(m), count, weights, whole, k_size, sums + int64_t(m) * ld, ld,
                      workspace);
  }
  dot_outputs<Isa, kFine>(from, whole_rows, weights + int64_t(whole) * k_size, outputs - whole,
                          k_size, sums + whole, ld);
  dot_outputs<Isa, kFine>(from.from(whole_rows), rows - whole_rows, weights, outputs, k_size,
                          sums + int64_t(whole_rows) * ld, ld, workspace);
}

}  // namespace
}  // namespace minibert::infer

// WASM SIMD128: bytes widened to 16 bits, then i32x4.dot_i16x8_s.
#include <wasm_simd128.h>

#include "infer/kernels/dot_kernels.h"
#include "infer/kernels/dot_tile.h"
#include "infer/kernels/wasm_lanes.h"
#include "infer/kernels/wasm_wide.h"

namespace minibert::infer {
namespace {

struct Simd128 : WasmLanes {
  using Weights = v128_t;
  using Activations = v128_t;
  static constexpr bool kWide = true;
  static constexpr bool kPanels = true;
  static constexpr int kStep = 8;
  static constexpr int kRows = 2;
  static constexpr int kFineRows = 2;
  static Weights load_weights(const int8_t* from) { return wasm_i16x8_load8x8(from); }
  static void copy_step(const int8_t* from, int8_t* to) {
    wasm_v128_store64_lane(to, wasm_v128_load64_zero(from), 0);
  }
  static v128_t load_activations(const uint8_t* from) { return wasm_u16x8_load8x8(from); }
  static v128_t load_fine(const uint8_t* high, const uint8_t* low) {
    return wasm_v128_or(wasm_i16x8_shl(wasm_u16x8_load8x8(high), 7), wasm_u16x8_load8x8(low));
  }
  static Accumulator dot(Accumulator total, v128_t a, Weights w) {
    return wasm_i32x4_add(total, wasm_i32x4_dot_i16x8(a, w));
  }
};

}  // namespace

void dot_wasm_simd128(const uint8_t* activations, int32_t low, int32_t stride, int32_t rows,
                      const int8_t* weights, int32_t outputs, int32_t k_size, int32_t* sums,
                      int32_t ld, int16_t* workspace) {
  const ActivationRows from{activations, low, stride};
  if (low != 0) {
    dot_wide<Simd128, true>(from, rows, weights, outputs, k_size, sums, ld, workspace);
  } else {
    dot_wide<Simd128, false>(from, rows, weights, outputs, k_size, sums, ld, workspace);
  }
}

}  // namespace minibert::infer

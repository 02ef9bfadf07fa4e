// WASM SIMD128: bytes widened to 16 bits, then i32x4.dot_i16x8_s.
#include <wasm_simd128.h>

#include "infer/dot_kernels.h"
#include "infer/dot_tile.h"
#include "infer/wasm_lanes.h"

namespace minibert::infer {
namespace {

struct Simd128 : WasmLanes {
  using Weights = v128_t;
  static constexpr int kStep = 8;
  static constexpr int kRows = 2;
  static Weights load_weights(const int8_t* from) { return wasm_i16x8_load8x8(from); }
  static v128_t load_activations(const uint8_t* from) { return wasm_u16x8_load8x8(from); }
  static Accumulator dot(Accumulator total, v128_t a, Weights w) {
    return wasm_i32x4_add(total, wasm_i32x4_dot_i16x8(a, w));
  }
};

}  // namespace

void dot_wasm_simd128(const uint8_t* activations, int32_t stride, int32_t rows,
                      const int8_t* weights, int32_t outputs, int32_t k_size, int32_t* sums,
                      int32_t ld) {
  dot_matrix<Simd128>(activations, stride, rows, weights, outputs, k_size, sums, ld);
}

}  // namespace minibert::infer

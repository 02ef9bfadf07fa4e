// WASM relaxed SIMD: sixteen products and their sums in one instruction. Its second operand holds
// the activations, which stay in 0…127, so that every engine gives the same sums.
#include <wasm_simd128.h>

#include "infer/dot_kernels.h"
#include "infer/dot_tile.h"
#include "infer/wasm_lanes.h"

namespace minibert::infer {
namespace {

struct RelaxedSimd : WasmLanes {
  using Weights = v128_t;
  using Activations = v128_t;
  static constexpr bool kWide = false;
  static constexpr bool kPanels = true;
  static constexpr int kStep = 16;
  static constexpr int kRows = 2;
  static constexpr int kFineRows = 1;
  static Weights load_weights(const int8_t* from) { return wasm_v128_load(from); }
  static void copy_step(const int8_t* from, int8_t* to) { wasm_v128_store(to, load_weights(from)); }
  static v128_t load_activations(const uint8_t* from) { return wasm_v128_load(from); }
  static Accumulator combine(Accumulator high, Accumulator low) {
    return wasm_i32x4_add(wasm_i32x4_shl(high, 7), low);
  }
  static Accumulator dot(Accumulator total, v128_t a, Weights w) {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(w, a, total);
  }
};

}  // namespace

extern "C" void dot_wasm_relaxed_simd(const uint8_t* activations, int32_t low, int32_t stride,
                                      int32_t rows, const int8_t* weights, int32_t outputs,
                                      int32_t k_size, int32_t* sums, int32_t ld,
                                      int16_t* workspace) {
  dot_matrix<RelaxedSimd>(activations, low, stride, rows, weights, outputs, k_size, sums, ld,
                          workspace);
}

}  // namespace minibert::infer

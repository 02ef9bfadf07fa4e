// WASM relaxed SIMD: sixteen products and their sums in one instruction. Its second operand holds
// the activations, which stay in 0…127, so that every engine gives the same sums.
#include <wasm_simd128.h>

#include "infer/kernels/dot_kernels.h"
#include "infer/kernels/dot_tile.h"
#include "infer/kernels/wasm_lanes.h"
#include "infer/kernels/wasm_packed.h"

namespace minibert::infer {
namespace {

struct RelaxedSimd : WasmByteLanes {
  static Accumulator dot(Accumulator total, v128_t a, Weights w) {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(w, a, total);
  }
};

}  // namespace

extern "C" void dot_wasm_relaxed_simd(const uint8_t* activations, int32_t low, int32_t stride,
                                      int32_t rows, const int8_t* weights, int32_t outputs,
                                      int32_t k_size, int32_t* sums, int32_t ld,
                                      int16_t* workspace) {
  const ActivationRows from{activations, low, stride};
  if (low != 0) {
    dot_packed<RelaxedSimd, true>(from, rows, weights, outputs, k_size, sums, ld, workspace);
  } else {
    dot_packed<RelaxedSimd, false>(from, rows, weights, outputs, k_size, sums, ld, workspace);
  }
}

}  // namespace minibert::infer

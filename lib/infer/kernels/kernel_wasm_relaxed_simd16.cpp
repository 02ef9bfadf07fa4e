// WASM relaxed SIMD for processors that have no instruction for its dot product into 32 bits (x86
// without AVX-VNNI): the one into 16 bits is vpmaddubsw there, and i32x4.dot_i16x8_s, vpmaddwd, adds
// its pairs. Activations of fourteen bits are multiplied in 16 bits at once.
#include <wasm_simd128.h>

#include "infer/kernels/dot_kernels.h"
#include "infer/kernels/dot_tile.h"
#include "infer/kernels/wasm_lanes.h"
#include "infer/kernels/wasm_wide.h"

namespace minibert::infer {
namespace {

struct RelaxedSimd16 : WasmByteLanes {
  // A pair's sum fits 16 bits, because activations have seven (2 · 127 · 128 < 2^15).
  static Accumulator dot(Accumulator total, v128_t a, Weights w) {
    const v128_t pairs = wasm_i16x8_relaxed_dot_i8x16_i7x16(w, a);
    return wasm_i32x4_add(total, wasm_i32x4_dot_i16x8(pairs, wasm_i16x8_splat(1)));
  }
};

}  // namespace

extern "C" void dot_wasm_relaxed_simd16(const uint8_t* activations, int32_t low, int32_t stride,
                                        int32_t rows, const int8_t* weights, int32_t outputs,
                                        int32_t k_size, int32_t* sums, int32_t ld,
                                        int16_t* workspace) {
  const ActivationRows from{activations, low, stride};
  if (low != 0) {
    dot_wide<RelaxedSimd16, true>(from, rows, weights, outputs, k_size, sums, ld, workspace);
  } else {
    dot_outputs<RelaxedSimd16, false>(from, rows, weights, outputs, k_size, sums, ld, workspace);
  }
}

}  // namespace minibert::infer

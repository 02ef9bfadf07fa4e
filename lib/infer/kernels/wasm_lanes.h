// Shared by the WASM kernels. Internal linkage: each kernel is compiled for its own set.
#pragma once

#include <stdint.h>
#include <wasm_simd128.h>

namespace minibert::infer {
namespace {

struct WasmLanes {
  using Accumulator = v128_t;
  static Accumulator zero() { return wasm_i32x4_splat(0); }
  static int32_t total(Accumulator v) {
    v = wasm_i32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
    return wasm_i32x4_extract_lane(v, 0) + wasm_i32x4_extract_lane(v, 1);
  }
  static void store4(const Accumulator* v, int32_t* to) {
    wasm_v128_store(to, add_pairs(add_pairs(v[0], v[1]), add_pairs(v[2], v[3])));
  }

 private:
  static v128_t add_pairs(v128_t a, v128_t b) {
    return wasm_i32x4_add(wasm_i32x4_shuffle(a, b, 0, 2, 4, 6),
                          wasm_i32x4_shuffle(a, b, 1, 3, 5, 7));
  }
};

// Transposes four vectors of 32-bit units: writes four vectors, `distance` bytes apart, each with
// one unit of every input.
inline void store_transposed(v128_t a, v128_t b, v128_t c, v128_t d, void* to, int32_t distance) {
  const v128_t ab = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), cd = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
  const v128_t ab2 = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  const v128_t cd2 = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  uint8_t* at = static_cast<uint8_t*>(to);
  wasm_v128_store(at, wasm_i64x2_shuffle(ab, cd, 0, 2));
  wasm_v128_store(at + distance, wasm_i64x2_shuffle(ab, cd, 1, 3));
  wasm_v128_store(at + 2 * distance, wasm_i64x2_shuffle(ab2, cd2, 0, 2));
  wasm_v128_store(at + 3 * distance, wasm_i64x2_shuffle(ab2, cd2, 1, 3));
}

// Lanes of kernels that multiply bytes directly.
struct WasmByteLanes : WasmLanes {
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
};

}  // namespace
}  // namespace minibert::infer

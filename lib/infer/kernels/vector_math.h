// Four floats at a time, in the compilers' portable vector types. Every operation rounds the same
// way in the same order on every machine (no fused multiply-add), so that the engine's results are
// bit-equal for every compilation.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace minibert::infer {

typedef float F32x4 __attribute__((vector_size(16)));
typedef int32_t I32x4 __attribute__((vector_size(16)));
typedef uint32_t U32x4 __attribute__((vector_size(16)));
typedef uint8_t U8x16 __attribute__((vector_size(16)));

inline F32x4 splat(float x) { return F32x4{x, x, x, x}; }
inline F32x4 load4(const float* from) {
  F32x4 v;
  std::memcpy(&v, from, sizeof(v));
  return v;
}
// Loads the first `count` (0 to 3) floats, and `fill` into the other lanes.
inline F32x4 load_part(const float* from, int32_t count, float fill) {
  F32x4 v = splat(fill);
  for (int32_t i = 0; i < count; ++i) v[i] = from[i];
  return v;
}
inline void store4(float* to, F32x4 v) { std::memcpy(to, &v, sizeof(v)); }
inline void store_part(float* to, F32x4 v, int32_t count) {
  for (int32_t i = 0; i < count; ++i) to[i] = v[i];
}

// b < a ? b : a, and a < b ? b : a: with a NaN in either, `a`.
#if defined(__wasm_simd128__)
inline F32x4 smaller(F32x4 a, F32x4 b) { return (F32x4)wasm_f32x4_pmin((v128_t)a, (v128_t)b); }
inline F32x4 larger(F32x4 a, F32x4 b) { return (F32x4)wasm_f32x4_pmax((v128_t)a, (v128_t)b); }
#else
inline F32x4 smaller(F32x4 a, F32x4 b) { return b < a ? b : a; }
inline F32x4 larger(F32x4 a, F32x4 b) { return a < b ? b : a; }
#endif

inline float sum(F32x4 v) { return (v[0] + v[2]) + (v[1] + v[3]); }
inline float greatest(F32x4 v) {
  const float a = v[0] < v[2] ? v[2] : v[0], b = v[1] < v[3] ? v[3] : v[1];
  return a < b ? b : a;
}
inline float least(F32x4 v) {
  const float a = v[2] < v[0] ? v[2] : v[0], b = v[3] < v[1] ? v[3] : v[1];
  return b < a ? b : a;
}

// Adding 1.5 · 2^23 leaves the nearest integer (ties to even) in a float's lowest bits.
inline constexpr float kRounder = 12582912.0f;

// e^x for x clamped to [-87, 88]: 2^n · 2^f with n + f = x · log2(e), and 2^f by a polynomial of
// degree 5 (minimax on [-1/2, 1/2]). The relative error is below 3e-7 + |x| · 1e-7.
inline F32x4 exp4(F32x4 x) {
  const F32x4 t = larger(smaller(x, splat(88.0f)), splat(-87.0f)) * 1.44269504f;
  const F32x4 shifted = t + kRounder;
  const F32x4 f = t - (shifted - kRounder);
  F32x4 p = f * 1.327647245e-03f + 9.675540961e-03f;
  p = p * f + 5.550713092e-02f;
  p = p * f + 2.402212024e-01f;
  p = p * f + 6.931469440e-01f;
  p = p * f + 1.000000119e+00f;
  // The shift leaves only n, in the exponent's place.
  return (F32x4)((U32x4)p + ((U32x4)shifted << 23));
}

// Four vectors of integers in 0…255 as sixteen bytes.
inline U8x16 narrow(I32x4 a, I32x4 b, I32x4 c, I32x4 d) {
#if defined(__SSE2__)
  return (U8x16)_mm_packus_epi16(_mm_packs_epi32((__m128i)a, (__m128i)b),
                                 _mm_packs_epi32((__m128i)c, (__m128i)d));
#elif defined(__wasm_simd128__)
  return (U8x16)wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4((v128_t)a, (v128_t)b),
                                        wasm_i16x8_narrow_i32x4((v128_t)c, (v128_t)d));
#else
  U8x16 bytes;
  for (int i = 0; i < 4; ++i) {
    bytes[i] = static_cast<uint8_t>(a[i]);
    bytes[4 + i] = static_cast<uint8_t>(b[i]);
    bytes[8 + i] = static_cast<uint8_t>(c[i]);
    bytes[12 + i] = static_cast<uint8_t>(d[i]);
  }
  return bytes;
#endif
}

}  // namespace minibert::infer

// Four floats at a time, in the compilers' portable vector types. Every operation here rounds the
// same way in the same order on every machine (no fused multiply-add), so that the engine's results
// are equal bit for bit whatever it was compiled for.
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
// The first `count` (0 to 3) floats, and `fill` in the other lanes.
inline F32x4 load_part(const float* from, int32_t count, float fill) {
  F32x4 v = splat(fill);
  for (int32_t i = 0; i < count; ++i) v[i] = from[i];
  return v;
}
inline void store4(float* to, F32x4 v) { std::memcpy(to, &v, sizeof(v)); }
inline void store_part(float* to, F32x4 v, int32_t count) {
  for (int32_t i = 0; i < count; ++i) to[i] = v[i];
}

// As std::min and std::max with the arguments in this order (so a NaN in `b` gives `a`).
inline F32x4 smaller(F32x4 a, F32x4 b) { return b < a ? b : a; }
inline F32x4 larger(F32x4 a, F32x4 b) { return a < b ? b : a; }

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
inline constexpr uint32_t kRounderBits = 0x4b400000;

// e^x with a relative error below 2e-7 for x in [-87, 88], clamped to there. Range reduction and
// polynomial as in Cephes' expf (Moshier).
inline F32x4 exp4(F32x4 x) {
  x = larger(smaller(x, splat(88.0f)), splat(-87.0f));
  const F32x4 shifted = x * 1.44269504f + kRounder;
  const F32x4 n = shifted - kRounder;
  const F32x4 r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  F32x4 p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * r) * r + r + 1.0f;
  return p * (F32x4)(((U32x4)shifted - kRounderBits + 127u) << 23);
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

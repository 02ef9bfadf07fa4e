// Shared by the CPU kernels: bfloat16 as its 16 bits, exp, the dropout hash. Only for the kernels'
// own sources; all of it is inlined into loops that the compiler vectorizes.
#pragma once

#include <bit>
#include <cstdint>

#include "core/multiversion.h"

namespace minibert::kernels {

MINIBERT_INLINE float load(float value) { return value; }
MINIBERT_INLINE float load(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

template <class T>
T store(float value);
template <>
MINIBERT_INLINE float store<float>(float value) {
  return value;
}
template <>
MINIBERT_INLINE uint16_t store<uint16_t>(float value) {
  // Round to nearest, ties to even; these kernels never meet NaN that must stay one.
  const auto bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

// exp(x) to about 2 ulp for |x| <= 87, clamped outside: 2^n times a degree-6 polynomial.
MINIBERT_INLINE float fast_exp(float x) {
  x = x < -87.0f ? -87.0f : (x > 87.0f ? 87.0f : x);
  const float scaled = x * 1.44269504088896341f;
  // Adding 1.5 * 2^23 leaves the rounded integer in the low bits.
  const float shifted = scaled + 12582912.0f;
  const float whole = shifted - 12582912.0f;
  const float f = (scaled - whole) * 0.69314718055994531f;
  float p = 1.0f / 720.0f;
  p = p * f + 1.0f / 120.0f;
  p = p * f + 1.0f / 24.0f;
  p = p * f + 1.0f / 6.0f;
  p = p * f + 0.5f;
  p = p * f + 1.0f;
  p = p * f + 1.0f;
  const uint32_t exponent = (std::bit_cast<uint32_t>(shifted) - 0x4b400000U + 127U) << 23;
  return p * std::bit_cast<float>(exponent);
}

// MurmurHash3's 32-bit finalizer (Appleby 2011): enough mixing for a mask, and it vectorizes.
MINIBERT_INLINE uint32_t mixed(uint32_t h) {
  h ^= h >> 16;
  h *= 0x85ebca6bU;
  h ^= h >> 13;
  h *= 0xc2b2ae35U;
  return h ^ (h >> 16);
}

// Returns `scale` if the hash of (index, key) is at least `threshold`, else 0.
MINIBERT_INLINE float dropout_factor(uint32_t index, uint64_t key, uint32_t threshold,
                                     float scale) {
  const auto low = static_cast<uint32_t>(key), high = static_cast<uint32_t>(key >> 32);
  const uint32_t hash = mixed(mixed(index * 0x9e3779b1U + low) ^ high);
  return hash >= threshold ? scale : 0.0f;
}

}  // namespace minibert::kernels

// Shared by the kernels on 256-bit registers. Internal linkage: each kernel is compiled for its own set.
#pragma once

#include <immintrin.h>
#include <stdint.h>

namespace minibert::infer {
namespace {

struct AvxLanes {
  using Weights = __m256i;
  using Activations = __m256i;
  using Accumulator = __m256i;
  static constexpr bool kWide = false;
  static constexpr bool kPanels = false;
  static constexpr int kStep = 32;
  static Accumulator zero() { return _mm256_setzero_si256(); }
  static Weights load_weights(const int8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static __m256i load_activations(const uint8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static Accumulator combine(Accumulator high, Accumulator low) {
    return _mm256_add_epi32(_mm256_slli_epi32(high, 7), low);
  }
  static __m128i half(Accumulator v) {
    return _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  }
  static int32_t total(Accumulator v) {
    const __m128i pairs = _mm_hadd_epi32(half(v), half(v));
    return _mm_cvtsi128_si32(_mm_hadd_epi32(pairs, pairs));
  }
  static void store4(const Accumulator* v, int32_t* to) {
    const __m128i low = _mm_hadd_epi32(half(v[0]), half(v[1]));
    const __m128i high = _mm_hadd_epi32(half(v[2]), half(v[3]));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_hadd_epi32(low, high));
  }
};

}  // namespace
}  // namespace minibert::infer

// AVX2: vpmaddubsw, which seven-bit activations cannot saturate (2 · 127 · 128 < 2^15).
#include <immintrin.h>

#include "infer/kernels/dot_kernels.h"
#include "infer/kernels/dot_tile.h"

namespace minibert::infer {
namespace {

struct Avx2 {
  using Weights = __m256i;
  using Activations = __m256i;
  using Accumulator = __m256i;
  static constexpr bool kWide = false;
  static constexpr bool kPanels = false;
  static constexpr int kStep = 32;
  static constexpr int kRows = 2;
  static constexpr int kFineRows = 1;
  static Accumulator zero() { return _mm256_setzero_si256(); }
  static Weights load_weights(const int8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static __m256i load_activations(const uint8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static Accumulator dot(Accumulator total, __m256i a, Weights w) {
    const __m256i pairs = _mm256_maddubs_epi16(a, w);
    return _mm256_add_epi32(total, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
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

void dot_avx2(const uint8_t* activations, int32_t low, int32_t stride, int32_t rows,
              const int8_t* weights, int32_t outputs, int32_t k_size, int32_t* sums, int32_t ld,
              int16_t* workspace) {
  dot_matrix<Avx2>(activations, low, stride, rows, weights, outputs, k_size, sums, ld, workspace);
}

}  // namespace minibert::infer

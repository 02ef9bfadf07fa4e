// AVX2: vpmaddubsw, which seven-bit activations cannot saturate (2 · 127 · 128 < 2^15).
#include "infer/kernels/avx_lanes.h"
#include "infer/kernels/dot_kernels.h"
#include "infer/kernels/dot_tile.h"

namespace minibert::infer {
namespace {

struct Avx2 : AvxLanes {
  static constexpr int kRows = 2;
  static constexpr int kFineRows = 1;
  static Accumulator dot(Accumulator total, __m256i a, Weights w) {
    const __m256i pairs = _mm256_maddubs_epi16(a, w);
    return _mm256_add_epi32(total, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
};

}  // namespace

void dot_avx2(const uint8_t* activations, int32_t low, int32_t stride, int32_t rows,
              const int8_t* weights, int32_t outputs, int32_t k_size, int32_t* sums, int32_t ld,
              int16_t* workspace) {
  dot_matrix<Avx2>(activations, low, stride, rows, weights, outputs, k_size, sums, ld, workspace);
}

}  // namespace minibert::infer

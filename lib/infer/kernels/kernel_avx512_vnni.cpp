// AVX-512 VNNI on 256-bit registers: vpdpbusd multiplies and adds four bytes at once.
#include "infer/kernels/avx_lanes.h"
#include "infer/kernels/dot_kernels.h"
#include "infer/kernels/dot_tile.h"

namespace minibert::infer {
namespace {

struct Avx512Vnni : AvxLanes {
  static constexpr int kRows = 4;
  static constexpr int kFineRows = 2;
  static Accumulator dot(Accumulator total, __m256i a, Weights w) {
    return _mm256_dpbusd_epi32(total, a, w);
  }
};

}  // namespace

void dot_avx512_vnni(const uint8_t* activations, int32_t low, int32_t stride, int32_t rows,
                     const int8_t* weights, int32_t outputs, int32_t k_size, int32_t* sums,
                     int32_t ld, int16_t* workspace) {
  dot_matrix<Avx512Vnni>(activations, low, stride, rows, weights, outputs, k_size, sums, ld,
                         workspace);
}

}  // namespace minibert::infer

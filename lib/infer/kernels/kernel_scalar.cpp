// The reference that the other kernels are tested against.
#include "infer/kernels/dot_kernels.h"

namespace minibert::infer {

void dot_scalar(const uint8_t* activations, int32_t low, int32_t stride, int32_t rows,
                const int8_t* weights, int32_t outputs, int32_t k_size, int32_t* sums, int32_t ld,
                int16_t*) {
  for (int32_t m = 0; m < rows; ++m)
    for (int32_t n = 0; n < outputs; ++n) {
      const uint8_t* a = activations + int64_t(m) * stride;
      const int8_t* w = weights + int64_t(n) * k_size;
      int32_t sum = 0;
      for (int32_t k = 0; k < k_size; ++k)
        sum += (low == 0 ? int32_t(a[k]) : 128 * a[k] + a[low + k]) * w[k];
      sums[int64_t(m) * ld + n] = sum;
    }
}

}  // namespace minibert::infer

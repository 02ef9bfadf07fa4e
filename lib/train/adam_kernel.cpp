#include "train/adam_kernel.h"

#include <algorithm>
#include <cmath>

#include "core/multiversion.h"

namespace minibert::kernels {
namespace {

constexpr int64_t kBlock = 1024;  // stays in the nearest cache from one loop to the next

// Loops of their own, because ATen rounds these products: in the other loop the compiler would make
// them one with a sum.
MINIBERT_CLONES void scale(const float* in, float factor, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = in[i] * factor;
}

MINIBERT_CLONES void scale_where_agreed(const float* along, float factor, float* values,
                                        int64_t n) {
  for (int64_t i = 0; i < n; ++i) values[i] *= along[i] * values[i] >= 0 ? factor : 1.0f;
}

MINIBERT_CLONES void mean_gradient(const AdamRule& rule, const float* grad, float* first,
                                   int64_t n) {
  const AdamRule r = rule;
  // Which of the two is ATen's lerp.
  if (r.first_rest < 0.5f)
    for (int64_t i = 0; i < n; ++i) first[i] = first[i] + r.first_rest * (grad[i] - first[i]);
  else
    for (int64_t i = 0; i < n; ++i)
      first[i] = grad[i] - (grad[i] - first[i]) * (1.0f - r.first_rest);
}

MINIBERT_CLONES void update(const AdamRule& rule, const float* grad, float* value,
                            const float* first, float* second, int64_t n) {
  const AdamRule r = rule;
  for (int64_t i = 0; i < n; ++i) {
    const float moment = second[i] + r.second_rest * grad[i] * grad[i];
    second[i] = moment;
    value[i] += r.rate * first[i] / (std::sqrt(moment / r.correction2) + r.eps);
  }
}

}  // namespace

void adam(const AdamRule& rule, const float* grad, float* value, float* first, float* second,
          int64_t n) {
  float clipped[kBlock];
  for (int64_t at = 0; at < n; at += kBlock) {
    const int64_t size = std::min(kBlock, n - at);
    if (rule.clip != 1.0f) scale(grad + at, rule.clip, clipped, size);
    const float* used = rule.clip != 1.0f ? clipped : grad + at;
    mean_gradient(rule, used, first + at, size);
    if (rule.cautious)
      scale_where_agreed(first + at, rule.keep, value + at, size);
    else if (rule.keep != 1.0f)
      scale(value + at, rule.keep, value + at, size);
    scale(second + at, rule.beta2, second + at, size);
    update(rule, used, value + at, first + at, second + at, size);
  }
}

}  // namespace minibert::kernels

// Weights in a model file: views into it, which it must outlive.
#pragma once

#include <cstdint>

namespace minibert::infer {

// A [N, K] matrix with rows contiguous along K: float32, or int8 with one scale a row, w = scale ·
// (int8 + low / mbq::kLowSteps).
struct Matrix {
  int32_t rows = 0;  // N
  int32_t cols = 0;  // K
  const int8_t* int8 = nullptr;
  const int8_t* low = nullptr;      // [N, K] or null, with int8
  const float* scales = nullptr;    // [N], with int8
  const float* float32 = nullptr;   // without int8
  const float* bias = nullptr;      // [N] or null
  const float* row_sums = nullptr;  // Σ w / scale [N], with int8; computed on loading
};

struct Norm {
  const float* weight = nullptr;
  const float* bias = nullptr;
};

struct LayerWeights {
  // A local layer has `value` in place of `qkv`, and neither offsets nor gate.
  Matrix qkv, value, output, inner, outer;
  Matrix conv;     // [taps, 3D or D] float32; empty: none
  Matrix offsets;  // [H, mbq::kOffsetBuckets] float32; empty: none
  Matrix gate;     // [H, D] float32; empty: none
  Norm attention_norm, ffn_norm;
};

}  // namespace minibert::infer

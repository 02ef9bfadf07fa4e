// Depthwise convolution over the positions of a sentence: every channel mixes its own neighbours.
#pragma once

#include <cstdint>
#include <span>

#include "infer/engine/weights.h"

namespace minibert::infer {

// x [length, C] -> y [rows, C] at the ascending `positions` [rows]: y[r] = Σ weight[k] ·
// x[positions[r] + k − K/2] over the taps k of `weight` [K, C], float32 with K odd. Positions
// outside the sentence count as 0. y must not overlap x.
void convolve(const float* x, int32_t length, const Matrix& weight,
              std::span<const int32_t> positions, float* y);

}  // namespace minibert::infer

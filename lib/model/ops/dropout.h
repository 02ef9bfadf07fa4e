// Dropout whose mask follows from a key and the element's index alone: equal for any number of
// threads, with no generator state to save and no mask to keep for the backward pass.
#pragma once

#include "core/torch.h"

namespace minibert {

// Inverted dropout (Srivastava et al. 2014). x: any shape, float32 or bfloat16. With p = 0 returns
// x. Without a CPU kernel (CUDA) it is LibTorch's, which follows the device's generator.
torch::Tensor keyed_dropout(const torch::Tensor& x, double p, uint64_t key);

// Computes keyed_dropout with the CPU kernels (0 < p < 1), without a gradient, for operations that
// apply dropout inside and repeat its mask in their own backward pass.
torch::Tensor dropout_values(const torch::Tensor& x, double p, uint64_t key);

// Hands out one key for each dropout site of one forward pass.
class DropoutKeys {
 public:
  // Call before every training forward pass; equal keys give equal masks.
  void reset(uint64_t key) { key_ = key, site_ = 0; }
  uint64_t next();

 private:
  uint64_t key_ = 0;
  uint64_t site_ = 0;
};

}  // namespace minibert

// Adam's update (Kingma & Ba 2015) on the CPU in one pass over memory; ATen's operations need a
// dozen. With GCC on x86-64 its bits equal LibTorch 1.13's; elsewhere the last bits may differ.
#pragma once

#include <cstdint>

namespace minibert::kernels {

struct AdamRule {
  float clip = 1;         // multiplies gradients first
  float keep = 1;         // multiplies values first: decoupled weight decay
  bool cautious = false;  // decays only values that the update does not move away from zero
  float first_rest;       // 1 - beta1
  float beta2;
  float second_rest;  // 1 - beta2
  float correction2;  // divides the second moment
  float eps;
  float rate;  // the step along first / (sqrt(second) + eps); negative
};

// Updates value and both moments, each [n], from grad [n], which stays. Single-threaded.
void adam(const AdamRule& rule, const float* grad, float* value, float* first, float* second,
          int64_t n);

}  // namespace minibert::kernels

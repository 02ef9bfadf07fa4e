// Compares an operation with a plain one: outputs, and gradients of their weighted sum.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <vector>

#include "core/torch.h"

namespace minibert {

// The largest difference allowed, as a share of the plain result's largest value.
inline constexpr double kFloat32Tolerance = 2e-5;
// bfloat16 keeps 8 bits; intermediate results that are rounded once more may be off by a few.
// Without AVX-512 LibTorch's own products keep their partial sums in bfloat16, too.
inline const double kBfloat16Tolerance = __builtin_cpu_supports("avx512bw") ? 0.03 : 0.1;

inline double relative_difference(const torch::Tensor& a, const torch::Tensor& b) {
  REQUIRE(a.sizes() == b.sizes());
  if (b.numel() == 0) return 0;
  const auto x = a.detach().to(torch::kCPU, torch::kFloat64),
             y = b.detach().to(torch::kCPU, torch::kFloat64);
  return (x - y).abs().max().item<double>() / std::max(1e-6, y.abs().max().item<double>());
}

using TensorList = std::vector<torch::Tensor>;
using Operation = std::function<TensorList(const TensorList&)>;

struct Pass {
  TensorList outputs, gradients;
};

// Runs `operation` on copies of `inputs` with gradients (if they are floating point) and
// differentiates the sum over outputs of output * weight, with fixed weights.
inline Pass run_pass(const Operation& operation, const TensorList& inputs) {
  TensorList leaves;
  for (const auto& input : inputs)
    leaves.push_back(input.defined() && input.is_floating_point()
                         ? input.detach().clone().set_requires_grad(true)
                         : input);
  Pass pass;
  pass.outputs = operation(leaves);
  torch::Tensor loss = torch::zeros({});
  for (const auto& output : pass.outputs) {
    const auto steps = torch::arange(output.numel(), torch::kFloat32).view(output.sizes());
    const auto weights = torch::cos(steps * 0.7) * 0.5 + 0.3;
    loss = loss +
           (output.to(torch::kFloat32) * weights.to(output.device(), output.scalar_type())).sum();
  }
  loss.backward();
  for (const auto& leaf : leaves)
    if (leaf.defined() && leaf.is_floating_point()) pass.gradients.push_back(leaf.grad());
  return pass;
}

// Requires equal results of `fused` on the inputs and `plain` on the same values in float32.
inline void require_same(const Operation& fused, const Operation& plain, const TensorList& inputs,
                         double tolerance) {
  TensorList widened;
  for (const auto& input : inputs)
    widened.push_back(input.defined() && input.is_floating_point() ? input.to(torch::kFloat32)
                                                                   : input);
  const Pass ours = run_pass(fused, inputs), theirs = run_pass(plain, widened);
  REQUIRE(ours.outputs.size() == theirs.outputs.size());
  for (size_t i = 0; i < ours.outputs.size(); ++i) {
    INFO("output " << i);
    CHECK(relative_difference(ours.outputs[i], theirs.outputs[i]) < tolerance);
  }
  for (size_t i = 0; i < ours.gradients.size(); ++i) {
    INFO("gradient " << i);
    REQUIRE(ours.gradients[i].defined());
    CHECK(relative_difference(ours.gradients[i], theirs.gradients[i]) < tolerance);
  }
}

}  // namespace minibert

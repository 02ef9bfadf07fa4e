// Hands ATen tensors to the CPU kernels, which take plain pointers.
#pragma once

#include "core/torch.h"

namespace minibert {

// An optional tensor argument of an autograd function; std::optional in newer LibTorch.
using MaybeTensor = torch::autograd::optional_variable_list::value_type;
inline MaybeTensor maybe(const torch::Tensor& x) {
  return x.defined() ? MaybeTensor(x) : MaybeTensor();
}
inline torch::Tensor or_undefined(const MaybeTensor& x) { return x ? *x : torch::Tensor(); }

// While an object lives, every operation takes its ATen form, which runs on a GPU: tests compare
// the two forms on the CPU, benchmarks time them. Must not change during an operation.
class AtenFormsOnly {
 public:
  AtenFormsOnly() { ++count(); }
  ~AtenFormsOnly() { --count(); }
  AtenFormsOnly(const AtenFormsOnly&) = delete;
  AtenFormsOnly& operator=(const AtenFormsOnly&) = delete;
  static bool asked_for() { return count() > 0; }

 private:
  static int& count() {
    static int count = 0;
    return count;
  }
};

// True for tensors of our CPU kernels: float32 and bfloat16 on a CPU. ATen computes all others.
inline bool has_cpu_kernels(const torch::Tensor& x) {
  return x.is_cpu() &&
         (x.scalar_type() == torch::kFloat32 || x.scalar_type() == torch::kBFloat16) &&
         !AtenFormsOnly::asked_for();
}

// The type of statistics and sums in the ATen forms: float32, or float64 for float64.
inline torch::ScalarType sum_type(const torch::Tensor& x) {
  return x.scalar_type() == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32;
}

// The least number of rows for a thread: fewer are not worth waking it.
inline constexpr int64_t kGrainRows = 64;

// The values as the kernels take them; T is float for float32, uint16_t for bfloat16.
template <class T>
T* values(const torch::Tensor& x) {
  return x.defined() ? static_cast<T*>(x.data_ptr()) : nullptr;
}

// Calls run(T{}) with the kernels' type for x.
template <class Run>
void with_type_of(const torch::Tensor& x, Run run) {
  if (x.scalar_type() == torch::kBFloat16)
    run(uint16_t{});
  else
    run(float{});
}

}  // namespace minibert

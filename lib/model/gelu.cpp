#include "model/gelu.h"

#include <ATen/Parallel.h>

#include "model/vector_kernels.h"

namespace minibert {
namespace {

constexpr int64_t kGrain = 1 << 14;

// Calls run(pointers as the kernels take them, begin, end) on all threads.
template <class Run>
void for_type(const torch::Tensor& x, Run run) {
  at::parallel_for(0, x.numel(), kGrain, [&](int64_t begin, int64_t end) {
    if (x.scalar_type() == torch::kBFloat16)
      run(static_cast<uint16_t*>(nullptr), begin, end);
    else
      run(static_cast<float*>(nullptr), begin, end);
  });
}

struct TanhGelu : torch::autograd::Function<TanhGelu> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, torch::Tensor input) {
    const torch::Tensor x = input.contiguous();
    context->save_for_backward({x});
    torch::Tensor y = torch::empty_like(x);
    for_type(x, [&](auto* type, int64_t begin, int64_t end) {
      const auto* from = static_cast<decltype(type)>(x.data_ptr());
      auto* to = static_cast<decltype(type)>(y.data_ptr());
      kernels::gelu(from + begin, to + begin, end - begin);
    });
    return y;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list grads) {
    const torch::Tensor x = context->get_saved_variables()[0];
    const torch::Tensor grad = grads[0].contiguous();
    torch::Tensor out = torch::empty_like(x);
    for_type(x, [&](auto* type, int64_t begin, int64_t end) {
      const auto* at = static_cast<decltype(type)>(x.data_ptr());
      const auto* slope = static_cast<decltype(type)>(grad.data_ptr());
      auto* to = static_cast<decltype(type)>(out.data_ptr());
      kernels::gelu_backward(at + begin, slope + begin, to + begin, end - begin);
    });
    return {out};
  }
};

}  // namespace

torch::Tensor tanh_gelu(const torch::Tensor& x) {
  const bool ours =
      x.is_cpu() && (x.scalar_type() == torch::kFloat32 || x.scalar_type() == torch::kBFloat16);
  return ours ? TanhGelu::apply(x) : torch::gelu(x, "tanh");
}

}  // namespace minibert

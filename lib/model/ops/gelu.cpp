#include "model/ops/gelu.h"

#include <ATen/Parallel.h>

#include "model/ops/cpu_values.h"
#include "model/ops/vector_kernels.h"

namespace minibert {
namespace {

constexpr int64_t kGrain = 1 << 14;

struct TanhGelu : torch::autograd::Function<TanhGelu> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, torch::Tensor input) {
    const torch::Tensor x = input.contiguous();
    context->save_for_backward({x});
    torch::Tensor y = torch::empty_like(x);
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, x.numel(), kGrain, [&](int64_t begin, int64_t end) {
        kernels::gelu(values<T>(x) + begin, values<T>(y) + begin, end - begin);
      });
    });
    return y;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list grads) {
    const torch::Tensor x = context->get_saved_variables()[0];
    const torch::Tensor grad = grads[0].contiguous();
    torch::Tensor out = torch::empty_like(x);
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, x.numel(), kGrain, [&](int64_t begin, int64_t end) {
        kernels::gelu_backward(values<T>(x) + begin, values<T>(grad) + begin,
                               values<T>(out) + begin, end - begin);
      });
    });
    return {out};
  }
};

}  // namespace

torch::Tensor tanh_gelu(const torch::Tensor& x) {
  return has_cpu_kernels(x) ? TanhGelu::apply(x) : torch::gelu(x, "tanh");
}

}  // namespace minibert

#include "model/ops/geglu.h"

#include <ATen/Parallel.h>

#include "model/ops/cpu_values.h"
#include "model/ops/vector_kernels.h"

namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kGegluRows = 32;

struct Geglu : torch::autograd::Function<Geglu> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor input) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const torch::Tensor x = input.contiguous();
    context->save_for_backward({x});
    auto shape = x.sizes().vec();
    const int64_t half = shape.back() /= 2;
    torch::Tensor y = torch::empty(shape, x.options());
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, y.numel() / half, kGegluRows, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const T* gate = values<T>(x) + row * 2 * half;
          kernels::geglu(gate, gate + half, values<T>(y) + row * half, half);
        }
      });
    });
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const torch::Tensor x = context->get_saved_variables()[0];
    const torch::Tensor grad = grads[0].contiguous();
    torch::Tensor d_x = torch::empty_like(x);
    const int64_t half = x.size(-1) / 2;
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, grad.numel() / half, kGegluRows, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const T* gate = values<T>(x) + row * 2 * half;
          T* d_gate = values<T>(d_x) + row * 2 * half;
          kernels::geglu_backward(gate, gate + half, values<T>(grad) + row * half, d_gate,
                                  d_gate + half, half);
        }
      });
    });
    return {d_x};
  }
};

}  // namespace

torch::Tensor geglu(const torch::Tensor& x) {
  TORCH_CHECK(x.size(-1) % 2 == 0, "geglu takes an even number of columns");
  if (has_cpu_kernels(x)) return Geglu::apply(x);
  const auto halves = x.chunk(2, -1);
  return torch::gelu(halves[0], "tanh") * halves[1];
}

}  // namespace minibert

#include "model/ops/head_gate.h"

#include <ATen/Parallel.h>

#include "model/ops/cpu_values.h"
#include "model/ops/row_kernels.h"

namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct GateHeads : torch::autograd::Function<GateHeads> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor input, torch::Tensor gates) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const torch::Tensor x = input.contiguous(), gate = gates.contiguous();
    const int64_t heads = gate.size(-1), d = x.size(-1);
    torch::Tensor y = torch::empty_like(x);
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, x.numel() / d, kGrainRows, [&](int64_t begin, int64_t end) {
        kernels::gate_rows(values<T>(x) + begin * d, values<T>(gate) + begin * heads,
                           values<T>(y) + begin * d, end - begin, heads, d / heads);
      });
    });
    context->save_for_backward({x, gate});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &x = saved[0], &gate = saved[1];
    const torch::Tensor grad_out = grads[0].contiguous();
    torch::Tensor d_x = torch::empty_like(x), d_gate = torch::empty_like(gate);
    const int64_t heads = gate.size(-1), d = x.size(-1);
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, x.numel() / d, kGrainRows, [&](int64_t begin, int64_t end) {
        kernels::gate_backward_rows(values<T>(x) + begin * d, values<T>(gate) + begin * heads,
                                    values<T>(grad_out) + begin * d, values<T>(d_x) + begin * d,
                                    values<T>(d_gate) + begin * heads, end - begin, heads,
                                    d / heads);
      });
    });
    return {d_x, d_gate};
  }
};

}  // namespace

torch::Tensor gate_heads(const torch::Tensor& context, const torch::Tensor& gate) {
  const int64_t heads = gate.size(-1);
  TORCH_CHECK(context.size(-1) % heads == 0, "heads divide the columns");
  if (has_cpu_kernels(context)) return GateHeads::apply(context, gate);
  auto shape = gate.sizes().vec();
  shape.push_back(context.size(-1) / heads);
  return (context.view(shape) * torch::sigmoid(gate).unsqueeze(-1)).view(context.sizes());
}

}  // namespace minibert

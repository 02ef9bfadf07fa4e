#include "model/ops/linear.h"

#include "model/ops/cpu_values.h"
#include "model/ops/row_blocks.h"
#include "model/ops/row_kernels.h"
#include "model/ops/weight_casts.h"

namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct CastLinear : torch::autograd::Function<CastLinear> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor x, torch::Tensor weight,
                               MaybeTensor given_bias) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const auto type = x.scalar_type();
    const torch::Tensor bias = or_undefined(given_bias);
    const auto x_RK = x.reshape({-1, x.size(-1)}).contiguous();
    const auto weight_NK = weight.to(type);
    context->save_for_backward({x_RK, weight_NK});
    context->saved_data["shape"] = x.sizes().vec();
    context->saved_data["bias"] = bias.defined();
    const auto y = bias.defined() ? at::addmm(bias.to(type), x_RK, weight_NK.t())
                                  : at::mm(x_RK, weight_NK.t());
    auto shape = x.sizes().vec();
    shape.back() = weight.size(0);
    return y.view(shape);
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const auto grad_RN = grads[0].reshape({-1, grads[0].size(-1)}).contiguous();
    const bool has_bias = context->saved_data["bias"].toBool();
    return {at::mm(grad_RN, saved[1]).view(context->saved_data["shape"].toIntVector()),
            at::mm(grad_RN.t(), saved[0]).to(torch::kFloat32),
            has_bias ? column_sums(grad_RN) : torch::Tensor()};
  }
};

}  // namespace

torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias,
                     torch::ScalarType type) {
  const torch::Tensor input = x.to(type);
  if (has_cpu_kernels(input)) return CastLinear::apply(input, weight, maybe(bias));
  return torch::linear(input, in_type(weight, type), in_type(bias, type));
}

torch::Tensor column_sums(const torch::Tensor& x) {
  if (!has_cpu_kernels(x)) return x.to(sum_type(x)).sum(0);
  const torch::Tensor in = x.contiguous();
  const int64_t cols = in.size(1);
  const RowBlocks blocks(in.size(0), cols);
  blocks.run([&](int64_t first, int64_t rows, float* sums) {
    with_type_of(in, [&](auto type) {
      kernels::add_column_sums(values<decltype(type)>(in) + first * cols, rows, cols, sums);
    });
  });
  return blocks.total();
}

}  // namespace minibert

#include "model/ops/sequence_convolution.h"

#include <vector>

#include "model/ops/cpu_values.h"
#include "model/ops/row_blocks.h"
#include "model/ops/sequence_kernels.h"

// B batch, S positions, C channels, K taps.
namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// What both passes fill in the same way.
template <class T>
kernels::ConvolutionRows<T> convolution_rows(const torch::Tensor& x, const torch::Tensor& weight,
                                             const torch::Tensor& bias,
                                             std::vector<float>* scratch) {
  kernels::ConvolutionRows<T> a;
  a.length = x.size(1), a.channels = x.size(2), a.taps = weight.size(0);
  a.bias = values<float>(bias), a.weight = values<float>(weight);
  scratch->resize(static_cast<size_t>(a.channels));
  a.scratch = scratch->data();
  a.x = values<T>(x);
  return a;
}

struct SequenceConvolution : torch::autograd::Function<SequenceConvolution> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor input, torch::Tensor weight,
                               torch::Tensor given_bias) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const torch::Tensor x = input.contiguous(), bias = given_bias.contiguous();
    torch::Tensor y = torch::empty_like(x);
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, bias.numel(), kGrainRows, [&](int64_t begin, int64_t end) {
        std::vector<float> scratch;
        auto a = convolution_rows<T>(x, weight, bias, &scratch);
        a.first = begin, a.rows = end - begin;
        a.y = values<T>(y);
        kernels::convolve_rows(a);
      });
    });
    context->save_for_backward({x, weight, bias});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &x = saved[0], &weight = saved[1], &bias = saved[2];
    const torch::Tensor grad_out = grads[0].contiguous(), d_x = torch::empty_like(x);
    const RowBlocks blocks(bias.numel(), weight.numel());
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      blocks.run([&](int64_t first, int64_t rows, float* sums) {
        std::vector<float> scratch;
        auto a = convolution_rows<T>(x, weight, bias, &scratch);
        a.first = first, a.rows = rows;
        a.grad_out = values<T>(grad_out), a.d_x = values<T>(d_x), a.d_weight = sums;
        kernels::convolve_backward_rows(a);
      });
    });
    return {d_x, blocks.total().view(weight.sizes()), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor sequence_convolution(const torch::Tensor& x, const torch::Tensor& weight,
                                   const torch::Tensor& bias) {
  TORCH_CHECK(weight.size(0) % 2 == 1 && weight.size(1) == x.size(2),
              "a convolution takes an odd number of taps, each with a weight a channel");
  if (has_cpu_kernels(x)) return SequenceConvolution::apply(x, weight, bias);
  const torch::Tensor real_BCS = (x * bias.ge(0).unsqueeze(-1).to(x.scalar_type())).transpose(1, 2);
  const torch::Tensor weight_C1K = weight.t().unsqueeze(1).to(x.scalar_type());
  return at::conv1d(real_BCS, weight_C1K, torch::Tensor(), /*stride=*/1,
                    /*padding=*/weight.size(0) / 2, /*dilation=*/1, /*groups=*/x.size(2))
      .transpose(1, 2);
}

}  // namespace minibert

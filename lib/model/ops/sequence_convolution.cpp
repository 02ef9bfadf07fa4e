#include "model/ops/sequence_convolution.h"

#include <algorithm>
#include <vector>

#include "model/ops/cpu_values.h"
#include "model/ops/row_blocks.h"
#include "model/ops/sequence_kernels.h"

// B batch, S positions, C channels, K taps.
namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Fills in the parts that both passes share.
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

// The positions s of a row of `length` for which s + shift lies in it, too.
struct Reached {
  Reached(int64_t length, int64_t shift)
      : begin(std::max<int64_t>(0, -shift)), end(std::min(length, length - shift)) {}
  bool none() const { return begin >= end; }
  int64_t begin, end;
};

// y[s] = sum over k of weight[k] * x[s + direction * (k - K / 2)].
torch::Tensor mixed(const torch::Tensor& x, const torch::Tensor& weight, int64_t direction) {
  const int64_t half = weight.size(0) / 2;
  torch::Tensor y = x * weight[half];
  for (int64_t k = 0; k < weight.size(0); ++k) {
    const int64_t shift = direction * (k - half);
    const Reached at(x.size(1), shift);
    if (k == half || at.none()) continue;
    y.slice(1, at.begin, at.end).addcmul_(x.slice(1, at.begin + shift, at.end + shift), weight[k]);
  }
  return y;
}

// The form for a device: a sum of shifted rows, each as fast as memory. cuDNN's and ATen's own depthwise
// convolutions, and the copies that bring the channels before the positions for them, took a fifth of a step on an H100.
struct ShiftedConvolution : torch::autograd::Function<ShiftedConvolution> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor x, torch::Tensor weight,
                               torch::Tensor bias) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const torch::Tensor shown = bias.ge(0).unsqueeze(-1).to(x.scalar_type());
    const torch::Tensor real = x * shown, typed = weight.to(x.scalar_type());
    context->save_for_backward({real, shown, typed});
    return mixed(real, typed, 1);
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &real = saved[0], &shown = saved[1], &weight = saved[2];
    const torch::Tensor grad = grads[0].contiguous();
    const int64_t half = weight.size(0) / 2;
    const auto sums = torch::dtype(sum_type(grad)).device(grad.device());
    std::vector<torch::Tensor> d_weight;
    for (int64_t k = 0; k < weight.size(0); ++k) {
      const int64_t shift = k - half;
      const Reached at(grad.size(1), shift);
      d_weight.push_back(
          at.none()
              ? torch::zeros({grad.size(2)}, sums)
              : (grad.slice(1, at.begin, at.end) * real.slice(1, at.begin + shift, at.end + shift))
                    .sum(at::IntArrayRef({0, 1}), /*keepdim=*/false, sum_type(grad)));
    }
    return {mixed(grad, weight, -1).mul_(shown), torch::stack(d_weight), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor sequence_convolution(const torch::Tensor& x, const torch::Tensor& weight,
                                   const torch::Tensor& bias) {
  TORCH_CHECK(weight.size(0) % 2 == 1 && weight.size(1) == x.size(2),
              "a convolution takes an odd number of taps, each with a weight a channel");
  if (has_cpu_kernels(x)) return SequenceConvolution::apply(x, weight, bias);
  return ShiftedConvolution::apply(x, weight, bias);
}

}  // namespace minibert

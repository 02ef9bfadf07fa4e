#include "model/tied_cross_entropy.h"

#include <algorithm>

namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kBlockRows = 256;

struct TiedCrossEntropy : torch::autograd::Function<TiedCrossEntropy> {
  static variable_list forward(AutogradContext* context, torch::Tensor x, torch::Tensor weight,
                               torch::Tensor bias, torch::Tensor labels) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const bool wants_grad = x.requires_grad() || weight.requires_grad();
    const int64_t rows = x.size(0);
    const auto w = weight.to(x.scalar_type());
    const auto weight_T = w.t();
    torch::Tensor loss = torch::zeros({}, x.options().dtype(torch::kFloat32));
    torch::Tensor correct = torch::zeros({}, labels.options());
    torch::Tensor grad_x, grad_w, grad_b;
    if (wants_grad) {
      grad_x = torch::empty_like(x);
      grad_w = torch::zeros(weight.sizes(), weight.options().dtype(torch::kFloat32));
      if (bias.defined()) grad_b = torch::zeros_like(bias);
    }
    for (int64_t begin = 0; begin < rows; begin += kBlockRows) {
      const int64_t end = std::min(rows, begin + kBlockRows);
      const auto x_block = x.slice(0, begin, end);
      const auto label = labels.slice(0, begin, end).unsqueeze(1);
      torch::Tensor logits = torch::mm(x_block, weight_T).to(torch::kFloat32);
      if (bias.defined()) logits.add_(bias);
      const auto [best, winner] = logits.max(1, /*keepdim=*/true);
      correct.add_(winner.eq(label).sum());
      const torch::Tensor gold = logits.gather(1, label);
      logits.sub_(best).exp_();
      const torch::Tensor total = logits.sum(1, /*keepdim=*/true);
      loss.add_((total.log() + best - gold).sum());
      if (!wants_grad) continue;
      // d loss / d logits = softmax - one-hot, over M for the mean.
      logits.div_(total * static_cast<double>(rows));
      logits.scatter_add_(1, label, torch::full_like(gold, -1.0 / static_cast<double>(rows)));
      if (bias.defined()) grad_b.add_(logits.sum(0));
      const torch::Tensor slope = logits.to(x.scalar_type());
      grad_x.slice(0, begin, end).copy_(torch::mm(slope, w));
      grad_w.add_(torch::mm(slope.t(), x_block));
    }
    if (rows > 0) loss.div_(static_cast<double>(rows));
    context->mark_non_differentiable({correct});
    context->save_for_backward({grad_x, grad_w, grad_b});
    return {loss, correct};
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const auto scaled = [&](const torch::Tensor& grad) {
      return grad.defined() ? grad * grads[0].to(grad.scalar_type()) : torch::Tensor();
    };
    return {scaled(saved[0]), scaled(saved[1]), scaled(saved[2]), torch::Tensor()};
  }
};

}  // namespace

MlmOutput tied_cross_entropy(const torch::Tensor& x, const torch::Tensor& weight,
                             const torch::Tensor& bias, const torch::Tensor& labels) {
  const auto out = TiedCrossEntropy::apply(x, weight, bias, labels);
  return {out[0], out[1]};
}

}  // namespace minibert

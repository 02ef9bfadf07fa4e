#include "model/tied_cross_entropy.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

#include "model/column_sums.h"
#include "model/cpu_values.h"
#include "model/row_kernels.h"

// M rows, E embedding size, S positions that a row is shown, V vocabulary.
namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kBlockRows = 1024;

struct BlockScore {
  torch::Tensor loss;     // sum over the block's rows
  torch::Tensor correct;  // rows
};

// A block's rows of ContextScores: pieces and scores [rows, S], undefined without a bonus.
struct BlockBonus {
  torch::Tensor pieces, scores;
};

// Scores a block of logits (x_block times weight transposed, the bias and the bonus still to add) and,
// where `scale` is not 0, turns them into d loss / d logits: (softmax - one-hot) * scale.
BlockScore score_on_cpu(const torch::Tensor& logits, const torch::Tensor& bias,
                        const BlockBonus& bonus, const torch::Tensor& labels, float scale) {
  const int64_t rows = logits.size(0), cols = logits.size(1);
  const int64_t* label = labels.data_ptr<int64_t>();
  const int64_t shown = bonus.scores.defined() ? bonus.scores.size(1) : 0;
  const int64_t* piece = shown > 0 ? bonus.pieces.data_ptr<int64_t>() : nullptr;
  const float* score = values<float>(bonus.scores);
  std::vector<kernels::RowLoss> losses(static_cast<size_t>(rows));
  with_type_of(logits, [&](auto type) {
    auto* block = values<decltype(type)>(logits);
    at::parallel_for(0, rows, 1, [&](int64_t begin, int64_t end) {
      std::vector<float> scratch(static_cast<size_t>(cols));
      // The bias, and during a row its bonus on top.
      std::vector<float> added(static_cast<size_t>(cols));
      const float* base = values<float>(bias);
      if (base != nullptr) added.assign(base, base + cols);
      for (int64_t i = begin; i < end; ++i) {
        TORCH_CHECK_INDEX(label[i] >= 0 && label[i] < cols, "a label out of range");
        auto* row = block + i * cols;
        for (int64_t s = i * shown; s < (i + 1) * shown; ++s)
          added[static_cast<size_t>(piece[s])] += score[s];
        losses[static_cast<size_t>(i)] = kernels::cross_entropy_row(
            row, added.data(), scratch.data(), cols, label[i], scale, scale == 0 ? nullptr : row);
        for (int64_t s = i * shown; s < (i + 1) * shown; ++s)
          added[static_cast<size_t>(piece[s])] = base == nullptr ? 0 : base[piece[s]];
      }
    });
  });
  double loss = 0;
  int64_t correct = 0;
  for (const auto& row : losses) loss += row.loss, correct += row.correct;
  return {torch::tensor(loss, torch::kFloat32), torch::tensor(correct, torch::kInt64)};
}

BlockScore score_with_aten(torch::Tensor& logits, const torch::Tensor& bias,
                           const BlockBonus& bonus, const torch::Tensor& labels, double scale) {
  const auto type = logits.scalar_type();
  const torch::Tensor label = labels.unsqueeze(1);
  logits = logits.to(sum_type(logits));
  if (bias.defined()) logits.add_(bias);
  if (bonus.scores.defined())
    logits.scatter_add_(1, bonus.pieces, bonus.scores.to(logits.scalar_type()));
  const auto [best, winner] = logits.max(1, /*keepdim=*/true);
  const torch::Tensor gold = logits.gather(1, label);
  logits.sub_(best).exp_();
  const torch::Tensor total = logits.sum(1, /*keepdim=*/true);
  BlockScore score{(total.log() + best - gold).sum(), winner.eq(label).sum()};
  if (scale != 0) {
    logits.mul_(scale / total);
    logits.scatter_add_(1, label, torch::full_like(gold, -scale));
    logits = logits.to(type);
  }
  return score;
}

struct TiedCrossEntropy : torch::autograd::Function<TiedCrossEntropy> {
  static variable_list forward(AutogradContext* context, torch::Tensor x, torch::Tensor weight,
                               MaybeTensor given_bias, torch::Tensor labels, MaybeTensor ids,
                               MaybeTensor example, MaybeTensor given_scores) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const bool wants_grad = x.requires_grad() || weight.requires_grad();
    const int64_t rows = x.size(0);
    const torch::Tensor bias = or_undefined(given_bias), scores = or_undefined(given_scores);
    labels = labels.contiguous();
    const torch::Tensor w = weight.to(x.scalar_type());
    torch::Tensor loss = torch::zeros({}, x.options().dtype(sum_type(x)));
    torch::Tensor correct = torch::zeros({}, labels.options());
    torch::Tensor grad_x, grad_w, grad_b, grad_scores;
    if (wants_grad) {
      grad_x = torch::empty_like(x);
      grad_w = torch::zeros_like(weight);
      if (bias.defined()) grad_b = torch::zeros_like(bias);
      if (scores.defined()) grad_scores = torch::empty_like(scores);
    }
    const double scale = wants_grad && rows > 0 ? 1.0 / static_cast<double>(rows) : 0.0;
    for (int64_t begin = 0; begin < rows; begin += kBlockRows) {
      const int64_t end = std::min(rows, begin + kBlockRows);
      const torch::Tensor x_block = x.slice(0, begin, end), label = labels.slice(0, begin, end);
      BlockBonus bonus;
      if (scores.defined())
        bonus = {ids->index_select(0, example->slice(0, begin, end)),
                 scores.slice(0, begin, end).contiguous()};
      torch::Tensor logits = at::mm(x_block, w.t());
      const BlockScore score =
          has_cpu_kernels(logits)
              ? score_on_cpu(logits, bias, bonus, label, static_cast<float>(scale))
              : score_with_aten(logits, bias, bonus, label, scale);
      loss.add_(score.loss);
      correct.add_(score.correct);
      if (!wants_grad) continue;
      if (bias.defined()) grad_b.add_(column_sums(logits));
      if (scores.defined()) grad_scores.slice(0, begin, end).copy_(logits.gather(1, bonus.pieces));
      grad_x.slice(0, begin, end).copy_(at::mm(logits, w));
      grad_w.add_(at::mm(logits.t(), x_block));
    }
    if (rows > 0) loss.div_(static_cast<double>(rows));
    context->mark_non_differentiable({correct});
    context->save_for_backward({grad_x, grad_w, grad_b, grad_scores});
    return {loss, correct};
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const auto scaled = [&](const torch::Tensor& grad) {
      return grad.defined() ? grad * grads[0].to(grad.scalar_type()) : torch::Tensor();
    };
    return {scaled(saved[0]), scaled(saved[1]), scaled(saved[2]), torch::Tensor(),
            torch::Tensor(),  torch::Tensor(),  scaled(saved[3])};
  }
};

}  // namespace

MlmOutput tied_cross_entropy(const torch::Tensor& x, const torch::Tensor& weight,
                             const torch::Tensor& bias, const torch::Tensor& labels,
                             const ContextScores& context) {
  const auto out = TiedCrossEntropy::apply(x, weight, maybe(bias), labels, maybe(context.shown.ids),
                                           maybe(context.shown.example), maybe(context.scores));
  return {out[0], out[1]};
}

}  // namespace minibert

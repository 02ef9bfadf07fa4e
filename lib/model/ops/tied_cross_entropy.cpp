#include "model/ops/tied_cross_entropy.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

#include "model/ops/cpu_values.h"
#include "model/ops/device_forms.h"
#include "model/ops/linear.h"
#include "model/ops/row_kernels.h"

// M rows, E embedding size, S positions that a row is shown, V vocabulary.
namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows whose scores are in memory together: on a CPU in its caches' reach, on a device enough to keep it busy.
constexpr int64_t kBlockRows = 1024, kDeviceBlockRows = 8192;

struct BlockScore {
  torch::Tensor loss;        // sum over the block's rows
  torch::Tensor correct;     // rows
  torch::Tensor divergence;  // sum over the block's rows, of a teacher's
};

// A block's rows of ContextScores: pieces and scores [rows, S], undefined without a bonus.
struct BlockBonus {
  torch::Tensor pieces, scores;
};

BlockBonus bonus_of(const ContextScores& context, int64_t begin, int64_t end) {
  if (!context.scores.defined()) return {};
  return {context.shown.ids.index_select(0, context.shown.example.slice(0, begin, end)),
          context.scores.slice(0, begin, end).contiguous()};
}

// The scores' weight in x's type; on a device with rows of zeros up to a multiple of kAligned, with which its products
// are five times as fast on an H100 as with 8,007 rows.
torch::Tensor typed_weight(const PieceScores& scores) {
  const torch::Tensor typed = scores.weight.to(scores.x.scalar_type());
  const int64_t missing = (kAligned - typed.size(0) % kAligned) % kAligned;
  if (has_cpu_kernels(typed) || missing == 0) return typed;
  return at::constant_pad_nd(typed, {0, 0, 0, missing});
}

// A block of logits: x times weight transposed, without bias and bonus. `padded` has columns of
// zeros for the weight's rows of zeros; `product` is the part before them in the same memory.
struct BlockLogits {
  torch::Tensor padded, product, bias;
  BlockBonus bonus;
};

// `typed` is typed_weight's.
BlockLogits logits_of(const PieceScores& scores, const torch::Tensor& typed, int64_t begin,
                      int64_t end) {
  const torch::Tensor padded = at::mm(scores.x.slice(0, begin, end), typed.t());
  return {padded, padded.slice(1, 0, scores.weight.size(0)), scores.bias,
          bonus_of(scores.context, begin, end)};
}

struct TaughtBlock {
  BlockLogits logits;  // where `sparse` is not defined
  float temperature, soft, hard;
  SparseTargets sparse;
};

TaughtBlock taught_block(const SoftTargets& teacher, const torch::Tensor& weight, int64_t begin,
                         int64_t end) {
  TaughtBlock out{{},
                  static_cast<float>(teacher.temperature),
                  static_cast<float>(teacher.soft),
                  static_cast<float>(teacher.hard),
                  {}};
  if (const SparseTargets& sparse = teacher.sparse; sparse.pieces.defined())
    out.sparse = {sparse.pieces.slice(0, begin, end).contiguous(),
                  sparse.probabilities.slice(0, begin, end).contiguous()};
  else
    out.logits = logits_of(teacher.scores, weight, begin, end);
  return out;
}

// Adds the bias, and a row's bonus, to the row's products.
class RowBias {
 public:
  RowBias(const BlockLogits& block, int64_t cols)
      : base_(values<float>(block.bias)),
        piece_(block.bonus.scores.defined() ? block.bonus.pieces.data_ptr<int64_t>() : nullptr),
        score_(values<float>(block.bonus.scores)),
        shown_(block.bonus.scores.defined() ? block.bonus.scores.size(1) : 0),
        added_(static_cast<size_t>(cols)) {
    if (base_ != nullptr) added_.assign(base_, base_ + cols);
  }
  const float* add(int64_t row) {
    for (int64_t s = row * shown_; s < (row + 1) * shown_; ++s)
      added_[static_cast<size_t>(piece_[s])] += score_[s];
    return added_.data();
  }
  void take_away(int64_t row) {
    for (int64_t s = row * shown_; s < (row + 1) * shown_; ++s)
      added_[static_cast<size_t>(piece_[s])] = base_ == nullptr ? 0 : base_[piece_[s]];
  }

 private:
  const float* base_;
  const int64_t* piece_;
  const float* score_;
  int64_t shown_;
  std::vector<float> added_;
};

// Scores a block and, unless `scale` is 0, turns its products into d loss / d logits: (softmax -
// one-hot) * scale, or taught_row's gradient.
BlockScore score_on_cpu(const BlockLogits& own, const TaughtBlock* teacher,
                        const torch::Tensor& labels, float scale) {
  const int64_t rows = own.product.size(0), cols = own.product.size(1);
  const int64_t* label = labels.data_ptr<int64_t>();
  std::vector<kernels::TaughtLoss> losses(static_cast<size_t>(rows));
  with_type_of(own.product, [&](auto type) {
    using T = decltype(type);
    auto* block = values<T>(own.product);
    const bool sparse = teacher != nullptr && teacher->sparse.pieces.defined();
    const bool whole = teacher != nullptr && !sparse;
    const auto* known = whole ? values<T>(teacher->logits.product) : nullptr;
    at::parallel_for(0, rows, 1, [&](int64_t begin, int64_t end) {
      std::vector<float> scratch(static_cast<size_t>(cols)),
          teachers(static_cast<size_t>(whole ? cols : 0));
      RowBias added(own, cols);
      RowBias known_added(whole ? teacher->logits : BlockLogits{}, cols);
      for (int64_t i = begin; i < end; ++i) {
        TORCH_CHECK_INDEX(label[i] >= 0 && label[i] < cols, "a label out of range");
        auto* row = block + i * cols;
        auto* grad = scale == 0 ? nullptr : row;
        kernels::TaughtLoss& loss = losses[static_cast<size_t>(i)];
        if (teacher == nullptr) {
          loss = {kernels::cross_entropy_row(row, added.add(i), scratch.data(), cols, label[i],
                                             scale, grad),
                  0};
        } else if (sparse) {
          const int64_t count = teacher->sparse.pieces.size(1);
          const kernels::SparseRow taught{values<int64_t>(teacher->sparse.pieces) + i * count,
                                          values<float>(teacher->sparse.probabilities) + i * count,
                                          count,
                                          teacher->temperature,
                                          teacher->soft,
                                          teacher->hard};
          loss = kernels::sparse_taught_row(row, added.add(i), scratch.data(), cols, label[i],
                                            taught, scale, grad);
        } else {
          const kernels::TaughtRow<T> taught{known + i * cols, known_added.add(i),
                                             teachers.data(),  teacher->temperature,
                                             teacher->soft,    teacher->hard};
          loss = kernels::taught_row(row, added.add(i), scratch.data(), cols, label[i], taught,
                                     scale, grad);
          known_added.take_away(i);
        }
        added.take_away(i);
      }
    });
  });
  double loss = 0, divergence = 0;
  int64_t correct = 0;
  for (const auto& row : losses)
    loss += row.hard.loss, correct += row.hard.correct, divergence += row.divergence;
  return {torch::tensor(loss, torch::kFloat32), torch::tensor(correct, torch::kInt64),
          torch::tensor(divergence, torch::kFloat32)};
}

torch::Tensor whole(const BlockLogits& block) {
  torch::Tensor logits = block.product.to(sum_type(block.product));
  if (block.bias.defined()) logits.add_(block.bias);
  if (!block.bonus.scores.defined()) return logits;
  const OneAddend each_piece;  // all but its first place in a row score 0
  return logits.scatter_add_(1, block.bonus.pieces, block.bonus.scores.to(logits.scalar_type()));
}

// A teacher's distribution over the pieces, and its divergence from a student with the given
// log-probabilities.
struct Taught {
  torch::Tensor probabilities, divergence;
};

Taught taught_by(const TaughtBlock& teacher, const torch::Tensor& student) {
  if (!teacher.sparse.pieces.defined()) {
    const torch::Tensor known = (whole(teacher.logits) / teacher.temperature).log_softmax(1);
    return {known.exp(), (known.exp() * (known - student)).sum()};
  }
  const torch::Tensor p = teacher.sparse.probabilities.to(student.scalar_type());
  return {torch::zeros_like(student).scatter_add_(1, teacher.sparse.pieces, p),
          (at::xlogy(p, p) - p * student.gather(1, teacher.sparse.pieces)).sum()};
}

BlockScore score_with_aten(BlockLogits& own, const TaughtBlock* teacher,
                           const torch::Tensor& labels, double scale) {
  const torch::Tensor label = labels.unsqueeze(1);
  torch::Tensor logits = whole(own);
  const auto [best, winner] = logits.max(1, /*keepdim=*/true);
  const torch::Tensor gold = logits.gather(1, label);
  torch::Tensor soft;  // log-probabilities at the temperature
  Taught known;
  if (teacher != nullptr) {
    soft = (logits / teacher->temperature).log_softmax(1);
    known = taught_by(*teacher, soft);
  }
  logits.sub_(best).exp_();
  const torch::Tensor total = logits.sum(1, /*keepdim=*/true);
  BlockScore score{(total.log() + best - gold).sum(), winner.eq(label).sum(), {}};
  score.divergence = teacher == nullptr ? torch::zeros_like(score.loss) : known.divergence;
  if (scale != 0) {
    const double hard = teacher == nullptr ? scale : scale * teacher->hard;
    logits.mul_(hard / total);
    {
      const OneAddend each_label;
      logits.scatter_add_(1, label, torch::full_like(gold, -hard));
    }
    if (teacher != nullptr)
      logits.add_(soft.exp() - known.probabilities, scale * teacher->soft * teacher->temperature);
    own.product.copy_(logits);
  }
  return score;
}

struct TiedCrossEntropy : torch::autograd::Function<TiedCrossEntropy> {
  static variable_list forward(AutogradContext* context, torch::Tensor x, torch::Tensor weight,
                               MaybeTensor given_bias, torch::Tensor labels, MaybeTensor ids,
                               MaybeTensor example, MaybeTensor given_scores,
                               const SoftTargets* teacher) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const bool wants_grad = x.requires_grad() || weight.requires_grad();
    const int64_t rows = x.size(0);
    const torch::Tensor bias = or_undefined(given_bias), scores = or_undefined(given_scores);
    const PieceScores students{
        x, weight, bias, {{or_undefined(ids), or_undefined(example)}, scores}};
    labels = labels.contiguous();
    const torch::Tensor w = typed_weight(students);
    const torch::Tensor teachers_w = teacher == nullptr || teacher->sparse.pieces.defined()
                                         ? torch::Tensor()
                                         : typed_weight(teacher->scores);
    torch::Tensor loss = torch::zeros({}, x.options().dtype(sum_type(x)));
    torch::Tensor divergence = torch::zeros_like(loss);
    torch::Tensor correct = torch::zeros({}, labels.options());
    torch::Tensor grad_x, grad_w, grad_b, grad_scores;
    if (wants_grad) {
      grad_x = torch::empty_like(x);
      grad_w = torch::zeros_like(weight);
      if (bias.defined()) grad_b = torch::zeros_like(bias);
      if (scores.defined()) grad_scores = torch::empty_like(scores);
    }
    const double scale = wants_grad && rows > 0 ? 1.0 / static_cast<double>(rows) : 0.0;
    const int64_t block = has_cpu_kernels(x) ? kBlockRows : kDeviceBlockRows;
    for (int64_t begin = 0; begin < rows; begin += block) {
      const int64_t end = std::min(rows, begin + block);
      const torch::Tensor x_block = x.slice(0, begin, end), label = labels.slice(0, begin, end);
      BlockLogits own = logits_of(students, w, begin, end);
      TaughtBlock taught;
      if (teacher != nullptr) taught = taught_block(*teacher, teachers_w, begin, end);
      const TaughtBlock* known = teacher == nullptr ? nullptr : &taught;
      const BlockScore score = has_cpu_kernels(own.product)
                                   ? score_on_cpu(own, known, label, static_cast<float>(scale))
                                   : score_with_aten(own, known, label, scale);
      loss.add_(score.loss);
      correct.add_(score.correct);
      divergence.add_(score.divergence);
      if (!wants_grad) continue;
      const torch::Tensor& slope = own.product;
      if (bias.defined()) grad_b.add_(column_sums(slope));
      if (scores.defined())
        grad_scores.slice(0, begin, end).copy_(slope.gather(1, own.bonus.pieces));
      grad_x.slice(0, begin, end).copy_(at::mm(own.padded, w));
      grad_w.add_(at::mm(own.padded.t(), x_block).slice(0, 0, weight.size(0)));
    }
    if (rows > 0) loss.div_(static_cast<double>(rows)), divergence.div_(static_cast<double>(rows));
    context->save_for_backward({grad_x, grad_w, grad_b, grad_scores});
    if (teacher == nullptr) {
      context->mark_non_differentiable({correct});
      return {loss, correct};
    }
    context->mark_non_differentiable({correct, loss});
    const double t = teacher->temperature;
    return {teacher->soft * t * t * divergence + teacher->hard * loss, correct, loss};
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const auto scaled = [&](const torch::Tensor& grad) {
      return grad.defined() ? grad * grads[0].to(grad.scalar_type()) : torch::Tensor();
    };
    return {scaled(saved[0]), scaled(saved[1]), scaled(saved[2]), torch::Tensor(),
            torch::Tensor(),  torch::Tensor(),  scaled(saved[3]), torch::Tensor()};
  }
};

}  // namespace

MlmOutput tied_cross_entropy(const torch::Tensor& x, const torch::Tensor& weight,
                             const torch::Tensor& bias, const torch::Tensor& labels,
                             const ContextScores& context, const SoftTargets* soft) {
  const auto out =
      TiedCrossEntropy::apply(x, weight, maybe(bias), labels, maybe(context.shown.ids),
                              maybe(context.shown.example), maybe(context.scores), soft);
  if (soft == nullptr) return {out[0], out[1], {}};
  return {out[2], out[1], out[0]};
}

}  // namespace minibert

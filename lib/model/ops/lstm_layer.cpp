#include "model/ops/lstm_layer.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

#include "model/ops/cpu_values.h"
#include "model/ops/linear.h"
#include "model/ops/lstm_kernels.h"

// B batch, S positions, D width of the input, H of the layer, G the four gates' 4 H. What is kept lies in blocks of
// texts, [S, rows, …] each, so that a step's rows lie together and a thread has a block for itself.
namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kGates = 4;
constexpr int64_t kTexts = 16;  // of a block

int64_t blocks_of(int64_t texts) { return (texts + kTexts - 1) / kTexts; }

// Calls use(first text, texts) for every block, on all threads. What it multiplies must take no gradient.
template <class Use>
void for_each_block(int64_t texts, const Use& use) {
  at::parallel_for(0, blocks_of(texts), 1, [&](int64_t begin, int64_t end) {
    const torch::NoGradGuard no_grad;
    for (int64_t block = begin; block < end; ++block)
      use(block * kTexts, std::min(kTexts, texts - block * kTexts));
  });
}

// A copy of a block's texts of x_BS…, [S, texts, …].
torch::Tensor by_step(const torch::Tensor& x, int64_t first, int64_t texts) {
  return x.narrow(0, first, texts).transpose(0, 1).clone(at::MemoryFormat::Contiguous);
}

kernels::LstmStep step_of(const torch::Tensor& gates, const torch::Tensor& cells,
                          const torch::Tensor& hidden, int64_t position) {
  kernels::LstmStep step;
  step.rows = cells.size(1), step.width = cells.size(2);
  const int64_t size = step.rows * step.width;
  step.gates = values<float>(gates) + position * kGates * size;
  step.cells = values<float>(cells) + position * size;
  step.hidden = values<float>(hidden) + position * size;
  step.before = position > 0 ? step.cells - size : nullptr;
  return step;
}

struct LstmLayer : torch::autograd::Function<LstmLayer> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor given, torch::Tensor input,
                               torch::Tensor recurrent, torch::Tensor input_bias,
                               torch::Tensor recurrent_bias) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const torch::Tensor x = given.detach(), weight_GD = input.detach(),
                        weight_GH = recurrent.detach();
    const torch::Tensor bias_G = input_bias.detach() + recurrent_bias.detach();
    const int64_t texts = x.size(0), length = x.size(1), width = weight_GH.size(1);
    torch::Tensor y_BSH = torch::empty({texts, length, width}, x.options());
    std::vector<torch::Tensor> kept(static_cast<size_t>(3 * blocks_of(texts)));
    for_each_block(texts, [&](int64_t first, int64_t rows) {
      const torch::Tensor x_RD = by_step(x, first, rows).view({length * rows, x.size(2)});
      const torch::Tensor gates =
          at::addmm(bias_G, x_RD, weight_GD.t()).view({length, rows, kGates * width});
      const torch::Tensor cells = torch::empty({length, rows, width}, x.options());
      const torch::Tensor hidden = torch::empty_like(cells);
      for (int64_t position = 0; position < length; ++position) {
        if (position > 0) gates[position].addmm_(hidden[position - 1], weight_GH.t());
        kernels::lstm_step(step_of(gates, cells, hidden, position));
      }
      y_BSH.narrow(0, first, rows).copy_(hidden.transpose(0, 1));
      const auto at = static_cast<size_t>(3 * first / kTexts);
      kept[at] = gates, kept[at + 1] = cells, kept[at + 2] = hidden;
    });
    kept.insert(kept.end(), {x, weight_GD, weight_GH});
    context->save_for_backward(kept);
    return y_BSH;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const auto saved = context->get_saved_variables();
    const torch::Tensor x = saved[saved.size() - 3].detach();
    const torch::Tensor weight_GD = saved[saved.size() - 2].detach(),
                        weight_GH = saved[saved.size() - 1].detach();
    const int64_t texts = x.size(0), length = x.size(1), width = weight_GH.size(1);
    const int64_t gates_width = kGates * width;
    const torch::Tensor grad = grads[0].detach();
    torch::Tensor d_x = torch::empty(x.sizes(), x.options());
    // For the weights, over all texts: [rows of all blocks, …].
    torch::Tensor d_sums = torch::empty({texts * length, gates_width}, x.options());
    torch::Tensor inputs = torch::empty({texts * length, x.size(2)}, x.options());
    torch::Tensor before = torch::zeros({texts * length, width}, x.options());
    for_each_block(texts, [&](int64_t first, int64_t rows) {
      const auto at = static_cast<size_t>(3 * first / kTexts);
      const torch::Tensor &gates = saved[at], &cells = saved[at + 1], &hidden = saved[at + 2];
      const torch::Tensor d_hidden = by_step(grad, first, rows);
      const int64_t from = first * length, count = rows * length;
      const torch::Tensor d_gates = d_sums.narrow(0, from, count).view({length, rows, gates_width});
      const torch::Tensor d_cells = torch::zeros({rows, width}, x.options());
      for (int64_t position = length; position-- > 0;) {
        kernels::LstmStep step = step_of(gates, cells, hidden, position);
        step.d_hidden = values<float>(d_hidden) + position * rows * width;
        step.d_cells = values<float>(d_cells);
        step.d_sums = values<float>(d_gates) + position * rows * gates_width;
        kernels::lstm_step_backward(step);
        if (position > 0) d_hidden[position - 1].addmm_(d_gates[position], weight_GH);
      }
      const torch::Tensor d_sums_RG = d_sums.narrow(0, from, count);
      d_x.narrow(0, first, rows)
          .copy_(at::mm(d_sums_RG, weight_GD).view({length, rows, x.size(2)}).transpose(0, 1));
      inputs.narrow(0, from, count)
          .view({length, rows, x.size(2)})
          .copy_(x.narrow(0, first, rows).transpose(0, 1));
      if (length > 1)
        before.narrow(0, from, count)
            .narrow(0, rows, count - rows)
            .copy_(hidden.narrow(0, 0, length - 1).reshape({count - rows, width}));
    });
    torch::Tensor d_input = torch::empty_like(weight_GD),
                  d_recurrent = torch::empty_like(weight_GH);
    at::parallel_for(0, kGates, 1, [&](int64_t begin, int64_t end) {
      const torch::NoGradGuard no_grad;
      for (int64_t gate = begin; gate < end; ++gate) {
        const torch::Tensor of_gate = d_sums.narrow(1, gate * width, width).t();
        d_input.narrow(0, gate * width, width).copy_(at::mm(of_gate, inputs));
        d_recurrent.narrow(0, gate * width, width).copy_(at::mm(of_gate, before));
      }
    });
    const torch::Tensor d_bias = column_sums(d_sums);
    return {d_x, d_input, d_recurrent, d_bias, d_bias};
  }
};

}  // namespace

torch::Tensor lstm_layer(const torch::Tensor& x, const LstmWeights& weights) {
  if (has_cpu_kernels(x) && x.scalar_type() == torch::kFloat32)
    return LstmLayer::apply(x, weights.input, weights.recurrent, weights.input_bias,
                            weights.recurrent_bias);
  const auto type = x.scalar_type();
  const torch::Tensor zeros = torch::zeros({1, x.size(0), weights.recurrent.size(1)}, x.options());
  return std::get<0>(at::lstm(x, {zeros, zeros},
                              {weights.input.to(type), weights.recurrent.to(type),
                               weights.input_bias.to(type), weights.recurrent_bias.to(type)},
                              /*has_biases=*/true, /*num_layers=*/1, /*dropout=*/0,
                              /*train=*/torch::GradMode::is_enabled(), /*bidirectional=*/false,
                              /*batch_first=*/true));
}

}  // namespace minibert

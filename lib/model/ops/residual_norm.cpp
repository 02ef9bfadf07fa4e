#include "model/ops/residual_norm.h"

#include <vector>

#include "model/ops/cpu_values.h"
#include "model/ops/dropout.h"
#include "model/ops/row_blocks.h"
#include "model/ops/row_kernels.h"
#include "model/ops/weight_casts.h"

namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Fills in the parts that both passes share.
template <class T>
kernels::NormRows<T> norm_rows(const torch::Tensor& sum, const torch::Tensor& gamma,
                               const torch::Tensor& statistics_2R, double p, uint64_t key,
                               std::vector<float>* scratch) {
  kernels::NormRows<T> a;
  a.cols = gamma.numel();
  a.sum = values<T>(sum);
  a.gamma = values<float>(gamma);
  a.mean = values<float>(statistics_2R);
  a.reciprocal = a.mean + statistics_2R.size(1);
  if (p > 0) a.dropout = kernels::dropout_rule(p, key);
  scratch->resize(static_cast<size_t>(a.cols));
  a.scratch = scratch->data();
  return a;
}

struct NormFunction : torch::autograd::Function<NormFunction> {
  static variable_list forward(AutogradContext* context, torch::Tensor input, MaybeTensor given,
                               torch::Tensor gamma, torch::Tensor beta, double eps, double p,
                               int64_t key) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const torch::Tensor x = input.contiguous();
    const bool has_branch = given.has_value();
    const torch::Tensor branch = has_branch ? given->contiguous() : torch::Tensor();
    const int64_t rows = x.numel() / gamma.numel();
    const torch::Tensor sum = has_branch ? torch::empty_like(x) : x, y = torch::empty_like(x);
    const torch::Tensor statistics_2R = torch::empty({2, rows}, torch::kFloat32);
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, rows, kGrainRows, [&](int64_t begin, int64_t end) {
        std::vector<float> scratch;
        auto a = norm_rows<T>(sum, gamma, statistics_2R, p, static_cast<uint64_t>(key), &scratch);
        a.first = begin, a.rows = end - begin;
        a.x = values<T>(x), a.branch = values<T>(branch), a.y = values<T>(y);
        a.beta = values<float>(beta);
        a.eps = static_cast<float>(eps);
        kernels::norm_rows(a);
      });
    });
    context->set_materialize_grads(false);
    context->save_for_backward({sum, gamma, statistics_2R});
    context->saved_data["p"] = p;
    context->saved_data["key"] = key;
    context->saved_data["branch"] = has_branch;
    return has_branch ? variable_list{y, sum} : variable_list{y};
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &sum = saved[0], &gamma = saved[1], &statistics_2R = saved[2];
    const bool has_branch = context->saved_data["branch"].toBool();
    const double p = context->saved_data["p"].toDouble();
    const auto key = static_cast<uint64_t>(context->saved_data["key"].toInt());
    // y is always used; sum only where a pre-norm layer goes on from it.
    const torch::Tensor grad_y =
        grads[0].defined() ? grads[0].contiguous() : torch::zeros_like(sum);
    const torch::Tensor grad_sum =
        has_branch && grads[1].defined() ? grads[1].contiguous() : torch::Tensor();
    const torch::Tensor d_x = torch::empty_like(sum);
    const bool apart = has_branch && p > 0;
    const torch::Tensor d_branch = apart ? torch::empty_like(sum) : torch::Tensor();
    const int64_t cols = gamma.numel();
    const RowBlocks blocks(sum.numel() / cols, 2 * cols);
    with_type_of(sum, [&](auto type) {
      using T = decltype(type);
      blocks.run([&](int64_t first, int64_t rows, float* sums) {
        std::vector<float> scratch;
        auto a = norm_rows<T>(sum, gamma, statistics_2R, p, key, &scratch);
        a.first = first, a.rows = rows;
        a.grad_y = values<T>(grad_y), a.grad_sum = values<T>(grad_sum);
        a.d_x = values<T>(d_x), a.d_branch = values<T>(d_branch);
        a.d_gamma = sums, a.d_beta = sums + cols;
        kernels::norm_rows_backward(a);
      });
    });
    const torch::Tensor total = blocks.total();
    return {d_x,
            has_branch ? (apart ? d_branch : d_x) : torch::Tensor(),
            total.slice(0, 0, cols),
            total.slice(0, cols),
            torch::Tensor(),
            torch::Tensor(),
            torch::Tensor()};
  }
};

}  // namespace

ResidualNorm residual_norm(const torch::Tensor& x, const torch::Tensor& branch,
                           const torch::nn::LayerNorm& norm, double p, uint64_t key) {
  if (has_cpu_kernels(x)) {
    const auto out =
        NormFunction::apply(x, maybe(branch), norm->weight, norm->bias, norm->options.eps(),
                            branch.defined() ? p : 0.0, static_cast<int64_t>(key));
    return {out[0], branch.defined() ? out[1] : x};
  }
  const torch::Tensor sum = branch.defined() ? x + keyed_dropout(branch, p, key) : x;
  // Its statistics are float32 in bfloat16, too.
  const auto type = sum.scalar_type();
  return {torch::layer_norm(sum, {sum.size(-1)}, in_type(norm->weight, type),
                            in_type(norm->bias, type), norm->options.eps()),
          sum};
}

torch::Tensor layer_norm(const torch::Tensor& x, const torch::nn::LayerNorm& norm) {
  return residual_norm(x, torch::Tensor(), norm, 0.0, 0).y;
}

}  // namespace minibert

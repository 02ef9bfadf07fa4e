#include "model/attention.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/cpu_values.h"
#include "model/row_kernels.h"

// B batch, S positions, H heads, d width of a head, D = H * d, N = B * H.
namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Between [B, S, parts, H, d] and [parts, B, H, S, d], to the second where `split`.
void move_heads(const torch::Tensor& from, const torch::Tensor& to, int64_t batch, int64_t length,
                int64_t parts, int64_t heads, bool split) {
  const int64_t width = from.numel() / (batch * length * parts * heads);
  with_type_of(from, [&](auto type) {
    using T = decltype(type);
    const T* in = values<T>(from);
    T* out = values<T>(to);
    at::parallel_for(0, batch, 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b)
        for (int64_t s = 0; s < length; ++s)
          for (int64_t part = 0; part < parts; ++part)
            for (int64_t head = 0; head < heads; ++head) {
              const int64_t together = (((b * length + s) * parts + part) * heads + head) * width;
              const int64_t apart = (((part * batch + b) * heads + head) * length + s) * width;
              std::copy_n(in + (split ? together : apart), width, out + (split ? apart : together));
            }
    });
  });
}

float score_scale(int64_t width) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(width)));
}

void softmax_scores(const torch::Tensor& scores_NSS, const torch::Tensor& bias_BS, float scale) {
  const int64_t length = scores_NSS.size(2), heads = scores_NSS.size(0) / bias_BS.size(0);
  const float* bias = values<float>(bias_BS);
  with_type_of(scores_NSS, [&](auto type) {
    auto* scores = values<decltype(type)>(scores_NSS);
    at::parallel_for(0, scores_NSS.size(0), 1, [&](int64_t begin, int64_t end) {
      std::vector<float> scratch(static_cast<size_t>(length));
      for (int64_t n = begin; n < end; ++n)
        kernels::softmax_rows(scores + n * length * length, scale, bias + n / heads * length,
                              scratch.data(), length, length);
    });
  });
}

void softmax_scores_backward(const torch::Tensor& p_NSS, const torch::Tensor& slope_NSS,
                             float scale) {
  const int64_t length = p_NSS.size(2), area = length * length;
  with_type_of(p_NSS, [&](auto type) {
    const auto* p = values<decltype(type)>(p_NSS);
    auto* slope = values<decltype(type)>(slope_NSS);
    at::parallel_for(0, p_NSS.size(0), 1, [&](int64_t begin, int64_t end) {
      kernels::softmax_backward_rows(p + begin * area, slope + begin * area, scale,
                                     (end - begin) * length, length);
    });
  });
}

struct SelfAttention : torch::autograd::Function<SelfAttention> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor qkv, torch::Tensor bias,
                               int64_t heads) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const int64_t batch = qkv.size(0), length = qkv.size(1), d = qkv.size(2) / 3;
    const int64_t width = d / heads;
    const torch::Tensor qkv_3NSd = torch::empty({3, batch * heads, length, width}, qkv.options());
    move_heads(qkv.contiguous(), qkv_3NSd, batch, length, 3, heads, /*split=*/true);
    const torch::Tensor p_NSS = at::bmm(qkv_3NSd[0], qkv_3NSd[1].transpose(1, 2));
    softmax_scores(p_NSS, bias.contiguous(), score_scale(width));
    const torch::Tensor context_NSd = at::bmm(p_NSS, qkv_3NSd[2]);
    torch::Tensor out = torch::empty({batch, length, d}, qkv.options());
    move_heads(context_NSd, out, batch, length, 1, heads, /*split=*/false);
    context->save_for_backward({qkv_3NSd, p_NSS});
    context->saved_data["heads"] = heads;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &qkv_3NSd = saved[0], &p_NSS = saved[1];
    const int64_t heads = context->saved_data["heads"].toInt();
    const int64_t length = qkv_3NSd.size(2), width = qkv_3NSd.size(3);
    const int64_t batch = qkv_3NSd.size(1) / heads;
    const torch::Tensor slope_NSd = torch::empty_like(qkv_3NSd[0]);
    move_heads(grads[0].contiguous(), slope_NSd, batch, length, 1, heads, /*split=*/true);
    const torch::Tensor slope_NSS = at::bmm(slope_NSd, qkv_3NSd[2].transpose(1, 2));
    softmax_scores_backward(p_NSS, slope_NSS, score_scale(width));
    const torch::Tensor d_qkv_3NSd = torch::empty_like(qkv_3NSd);
    torch::Tensor d_q = d_qkv_3NSd[0], d_k = d_qkv_3NSd[1], d_v = d_qkv_3NSd[2];
    at::bmm_out(d_q, slope_NSS, qkv_3NSd[1]);
    at::bmm_out(d_k, slope_NSS.transpose(1, 2), qkv_3NSd[0]);
    at::bmm_out(d_v, p_NSS.transpose(1, 2), slope_NSd);
    torch::Tensor d_qkv = torch::empty({batch, length, 3 * heads * width}, qkv_3NSd.options());
    move_heads(d_qkv_3NSd, d_qkv, batch, length, 3, heads, /*split=*/false);
    return {d_qkv, torch::Tensor(), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor self_attention(const torch::Tensor& qkv, const torch::Tensor& bias, int64_t n_heads) {
  if (has_cpu_kernels(qkv)) return SelfAttention::apply(qkv, bias, n_heads);
  const int64_t batch = qkv.size(0), length = qkv.size(1), d = qkv.size(2) / 3;
  const auto qkv_3BHSd =
      qkv.view({batch, length, 3, n_heads, d / n_heads}).permute({2, 0, 3, 1, 4});
  const auto scores_BHSS =
      torch::matmul(qkv_3BHSd[0] * score_scale(d / n_heads), qkv_3BHSd[1].transpose(-1, -2)) +
      bias.unsqueeze(1).unsqueeze(1);
  const auto p_BHSS = torch::softmax(scores_BHSS, -1).to(qkv.scalar_type());
  return torch::matmul(p_BHSS, qkv_3BHSd[2]).transpose(1, 2).reshape({batch, length, d});
}

}  // namespace minibert

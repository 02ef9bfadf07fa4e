#include "model/ops/attention.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/ops/cpu_values.h"
#include "model/ops/dropout.h"
#include "model/ops/embedding.h"
#include "model/ops/row_kernels.h"

// B batch, S positions, Q queries of a row, H heads, d width of a head, D = H * d, N = B * H.
namespace minibert {
namespace {

constexpr double kNever = -1e9;  // of a key that must not be seen

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

// Copies rows between all positions [N, S, d] and the positions [B, Q], [N, Q, d]; with `back`,
// adds them to the first.
void move_chosen(const torch::Tensor& all, const torch::Tensor& positions_BQ,
                 const torch::Tensor& chosen, bool back) {
  const int64_t batch = positions_BQ.size(0), count = positions_BQ.size(1);
  const int64_t heads = all.size(0) / batch, length = all.size(1), width = all.size(2);
  const int64_t* position = positions_BQ.data_ptr<int64_t>();
  with_type_of(all, [&](auto type) {
    using T = decltype(type);
    at::parallel_for(0, batch * heads, 1, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n)
        for (int64_t q = 0; q < count; ++q) {
          const int64_t at = position[n / heads * count + q];
          TORCH_CHECK_INDEX(at >= 0 && at < length, "a query outside the sequence");
          T* one = values<T>(all) + (n * length + at) * width;
          T* other = values<T>(chosen) + (n * count + q) * width;
          if (back)
            kernels::add(other, one, width);
          else
            std::copy_n(one, width, other);
        }
    });
  });
}

// Fills in the parts of the scores of head n that both passes share.
template <class T>
kernels::ScoreRows<T> score_rows(const torch::Tensor& p_NQS, const torch::Tensor& queries_BQ,
                                 int64_t heads, float scale, int64_t n) {
  kernels::ScoreRows<T> a;
  a.rows = p_NQS.size(1), a.cols = p_NQS.size(2), a.scale = scale;
  if (queries_BQ.defined()) a.query = queries_BQ.data_ptr<int64_t>() + n / heads * a.rows;
  return a;
}

void softmax_scores(const torch::Tensor& scores_NQS, const torch::Tensor& bias_BS,
                    const AttentionTerms& terms, float scale) {
  const int64_t length = scores_NQS.size(2), heads = scores_NQS.size(0) / bias_BS.size(0);
  with_type_of(scores_NQS, [&](auto type) {
    using T = decltype(type);
    at::parallel_for(0, scores_NQS.size(0), 1, [&](int64_t begin, int64_t end) {
      std::vector<float> scratch(static_cast<size_t>(length));
      for (int64_t n = begin; n < end; ++n) {
        auto a = score_rows<T>(scores_NQS, terms.queries, heads, scale, n);
        a.x = values<T>(scores_NQS) + n * a.rows * length;
        a.bias = values<float>(bias_BS) + n / heads * length;
        if (terms.offset_bias.defined())
          a.offset_bias = values<float>(terms.offset_bias) + n % heads * (2 * length - 1);
        a.scratch = scratch.data();
        kernels::softmax_rows(a);
      }
    });
  });
}

// sums_NO, undefined or zeros [N, 2S - 1], gets each head's gradient of the offsets' bias.
void softmax_scores_backward(const torch::Tensor& p_NQS, const torch::Tensor& grad_NQS,
                             const torch::Tensor& queries_BQ, int64_t heads, float scale,
                             const torch::Tensor& sums_NO) {
  const int64_t length = p_NQS.size(2);
  with_type_of(p_NQS, [&](auto type) {
    using T = decltype(type);
    at::parallel_for(0, p_NQS.size(0), 1, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        auto a = score_rows<T>(p_NQS, queries_BQ, heads, scale, n);
        a.p = values<T>(p_NQS) + n * a.rows * length;
        a.grad_out = values<T>(grad_NQS) + n * a.rows * length;
        if (sums_NO.defined()) a.d_offset_bias = values<float>(sums_NO) + n * (2 * length - 1);
        kernels::softmax_backward_rows(a);
      }
    });
  });
}

// Probabilities, or their gradient, after dropout: the mask is not kept, but made again.
torch::Tensor dropped(const torch::Tensor& x, double p, int64_t key) {
  return p == 0 ? x : dropout_values(x, p, static_cast<uint64_t>(key));
}

struct SelfAttention : torch::autograd::Function<SelfAttention> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor qkv, torch::Tensor bias,
                               int64_t heads, MaybeTensor offset_bias, MaybeTensor queries,
                               double dropout, int64_t dropout_key) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const int64_t batch = qkv.size(0), length = qkv.size(1), d = qkv.size(2) / 3;
    const int64_t width = d / heads;
    AttentionTerms terms{or_undefined(offset_bias), or_undefined(queries)};
    if (terms.offset_bias.defined()) terms.offset_bias = terms.offset_bias.contiguous();
    if (terms.queries.defined()) terms.queries = terms.queries.contiguous();
    const int64_t count = terms.queries.defined() ? terms.queries.size(1) : length;
    const torch::Tensor qkv_3NSd = torch::empty({3, batch * heads, length, width}, qkv.options());
    move_heads(qkv.contiguous(), qkv_3NSd, batch, length, 3, heads, /*split=*/true);
    torch::Tensor q_NQd = qkv_3NSd[0];
    if (terms.queries.defined()) {
      q_NQd = torch::empty({batch * heads, count, width}, qkv.options());
      move_chosen(qkv_3NSd[0], terms.queries, q_NQd, /*back=*/false);
    }
    const torch::Tensor p_NQS = at::bmm(q_NQd, qkv_3NSd[1].transpose(1, 2));
    softmax_scores(p_NQS, bias.contiguous(), terms, score_scale(width));
    const torch::Tensor context_NQd = at::bmm(dropped(p_NQS, dropout, dropout_key), qkv_3NSd[2]);
    torch::Tensor out = torch::empty({batch, count, d}, qkv.options());
    move_heads(context_NQd, out, batch, count, 1, heads, /*split=*/false);
    context->save_for_backward({qkv_3NSd, q_NQd, p_NQS, terms.queries});
    context->saved_data["heads"] = heads;
    context->saved_data["offsets"] = terms.offset_bias.defined();
    context->saved_data["dropout"] = dropout;
    context->saved_data["dropout_key"] = dropout_key;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &qkv_3NSd = saved[0], &q_NQd = saved[1], &p_NQS = saved[2];
    const torch::Tensor& queries = saved[3];
    const int64_t heads = context->saved_data["heads"].toInt();
    const int64_t length = qkv_3NSd.size(2), width = qkv_3NSd.size(3), count = q_NQd.size(1);
    const int64_t batch = qkv_3NSd.size(1) / heads;
    const torch::Tensor grad_NQd = torch::empty_like(q_NQd);
    move_heads(grads[0].contiguous(), grad_NQd, batch, count, 1, heads, /*split=*/true);
    const double p = context->saved_data["dropout"].toDouble();
    const int64_t key = context->saved_data["dropout_key"].toInt();
    const torch::Tensor grad_NQS = dropped(at::bmm(grad_NQd, qkv_3NSd[2].transpose(1, 2)), p, key);
    torch::Tensor sums_NO;
    if (context->saved_data["offsets"].toBool())
      sums_NO = torch::zeros({batch * heads, 2 * length - 1}, torch::kFloat32);
    softmax_scores_backward(p_NQS, grad_NQS, queries, heads, score_scale(width), sums_NO);
    const torch::Tensor d_qkv_3NSd = torch::empty_like(qkv_3NSd);
    torch::Tensor d_q = d_qkv_3NSd[0], d_k = d_qkv_3NSd[1], d_v = d_qkv_3NSd[2];
    if (queries.defined())
      move_chosen(d_q.zero_(), queries, at::bmm(grad_NQS, qkv_3NSd[1]), /*back=*/true);
    else
      at::bmm_out(d_q, grad_NQS, qkv_3NSd[1]);
    at::bmm_out(d_k, grad_NQS.transpose(1, 2), q_NQd);
    at::bmm_out(d_v, dropped(p_NQS, p, key).transpose(1, 2), grad_NQd);
    torch::Tensor d_qkv = torch::empty({batch, length, 3 * heads * width}, qkv_3NSd.options());
    move_heads(d_qkv_3NSd, d_qkv, batch, length, 3, heads, /*split=*/false);
    torch::Tensor d_offsets;
    if (sums_NO.defined()) {
      d_offsets = torch::zeros({heads, 2 * length - 1}, torch::kFloat32);
      // Row n of the sums is head n % H: whole examples add up as vectors of H * (2S - 1).
      kernels::add_column_sums(values<float>(sums_NO), batch, d_offsets.numel(),
                               values<float>(d_offsets));
    }
    return {d_qkv,           torch::Tensor(), torch::Tensor(), d_offsets,
            torch::Tensor(), torch::Tensor(), torch::Tensor()};
  }
};

// offsets [H, 2S - 1] -> [H, S, S]: the value for key k and query q stands at S - 1 + k - q.
struct SpreadOffsets : torch::autograd::Function<SpreadOffsets> {
  static torch::Tensor forward(AutogradContext*, torch::Tensor offsets) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const int64_t heads = offsets.size(0), length = (offsets.size(1) + 1) / 2;
    // From the last query to the first, each reads one number further on.
    return offsets.contiguous().as_strided({heads, length, length}, {2 * length - 1, 1, 1}).flip(1);
  }
  static variable_list backward(AutogradContext*, variable_list grads) {
    const int64_t heads = grads[0].size(0), length = grads[0].size(1);
    // Rows of 2S numbers, read as rows of 2S - 1 shift by one each: an offset then has one column.
    const torch::Tensor wide = at::constant_pad_nd(grads[0].flip(1), {0, length});
    return {
        wide.as_strided({heads, length, 2 * length - 1}, {2 * length * length, 2 * length - 1, 1})
            .sum(1)};
  }
};

// offset_bias [H, 2S - 1] for each query and key: [1, H, S, S], or [B, H, Q, S] for chosen queries.
torch::Tensor spread_offsets(const AttentionTerms& terms, int64_t length) {
  const torch::Tensor bias_HSS = SpreadOffsets::apply(terms.offset_bias);
  if (!terms.queries.defined()) return bias_HSS.unsqueeze(0);
  const int64_t heads = bias_HSS.size(0);
  const torch::Tensor rows_BQ =
      rows_of_few(bias_HSS.transpose(0, 1).reshape({length, heads * length}), terms.queries);
  return rows_BQ.view({terms.queries.size(0), terms.queries.size(1), heads, length})
      .transpose(1, 2);
}

// [B, S, D * parts] -> each part [B, H, S, d], all in one new piece of memory.
std::vector<torch::Tensor> split_heads(const torch::Tensor& x, int64_t parts, int64_t n_heads) {
  const int64_t batch = x.size(0), length = x.size(1), d = x.size(2) / parts;
  return x.view({batch, length, parts, n_heads, d / n_heads})
      .permute({2, 0, 3, 1, 4})
      .contiguous()
      .unbind(0);
}

struct Heads {
  torch::Tensor q_BHQd, k_BHSd, v_BHSd;
};

// The rows of the chosen queries are taken before their heads are split: the backward pass adds B * Q rows,
// where it would add as many numbers one by one.
Heads heads_of(const torch::Tensor& qkv, int64_t n_heads, const torch::Tensor& queries_BQ) {
  if (!queries_BQ.defined()) {
    const auto parts = split_heads(qkv, 3, n_heads);
    return {parts[0], parts[1], parts[2]};
  }
  const int64_t d = qkv.size(2) / 3;
  const auto apart = qkv.split_with_sizes({d, 2 * d}, 2);
  const auto parts = split_heads(apart[1], 2, n_heads);
  return {split_heads(at_positions(apart[0], queries_BQ), 1, n_heads)[0], parts[0], parts[1]};
}

// [B, H, Q, S] in the type of the heads.
torch::Tensor probabilities(const Heads& heads, const torch::Tensor& bias_BS,
                            const AttentionTerms& terms) {
  auto scores_BHQS = torch::matmul(heads.q_BHQd * score_scale(heads.q_BHQd.size(3)),
                                   heads.k_BHSd.transpose(-1, -2)) +
                     bias_BS.unsqueeze(1).unsqueeze(1);
  if (terms.offset_bias.defined())
    scores_BHQS = scores_BHQS + spread_offsets(terms, heads.k_BHSd.size(2));
  return torch::softmax(scores_BHQS, -1).to(heads.q_BHQd.scalar_type());
}

void check_offsets(const torch::Tensor& qkv, int64_t n_heads, const AttentionTerms& terms) {
  TORCH_CHECK(!terms.offset_bias.defined() ||
                  terms.offset_bias.sizes() == at::IntArrayRef({n_heads, 2 * qkv.size(1) - 1}),
              "a bias for each head and offset, from 1 - S to S - 1");
}

}  // namespace

torch::Tensor self_attention(const torch::Tensor& qkv, const torch::Tensor& bias, int64_t n_heads,
                             const AttentionTerms& terms) {
  check_offsets(qkv, n_heads, terms);
  if (has_cpu_kernels(qkv))
    return SelfAttention::apply(qkv, bias, n_heads, maybe(terms.offset_bias), maybe(terms.queries),
                                terms.dropout, static_cast<int64_t>(terms.dropout_key));
  const Heads heads = heads_of(qkv, n_heads, terms.queries);
  const torch::Tensor p_BHQS =
      keyed_dropout(probabilities(heads, bias, terms), terms.dropout, terms.dropout_key);
  return torch::matmul(p_BHQS, heads.v_BHSd)
      .transpose(1, 2)
      .reshape({qkv.size(0), p_BHQS.size(2), qkv.size(2) / 3});
}

torch::Tensor attention_probabilities(const torch::Tensor& qkv, const torch::Tensor& bias,
                                      int64_t n_heads, const AttentionTerms& terms) {
  check_offsets(qkv, n_heads, terms);
  return probabilities(heads_of(qkv, n_heads, terms.queries), bias, terms);
}

torch::Tensor relative_buckets(int64_t length) {
  std::vector<int64_t> buckets;
  for (int64_t offset = 1 - length; offset < length; ++offset)
    buckets.push_back(relative_bucket(offset));
  return torch::tensor(buckets, torch::kInt64);
}

torch::Tensor relative_offsets(const torch::Tensor& table, int64_t length) {
  return table.index_select(1, relative_buckets(length).to(table.device()));
}

torch::Tensor causal_offsets(int64_t heads, int64_t length, torch::Device device) {
  torch::Tensor offsets =
      torch::zeros({heads, 2 * length - 1}, torch::dtype(torch::kFloat32).device(device));
  offsets.slice(1, length).fill_(kNever);
  return offsets;
}

}  // namespace minibert

#include "model/ops/embedding.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "model/ops/cpu_values.h"
#include "model/ops/device_forms.h"
#include "model/ops/row_kernels.h"

namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// to[index[i]] += from[i], rows of `cols` floats in the order of i. Each thread owns some rows of
// `to` and looks through all of `index`.
void add_rows(const float* from, const int64_t* index, int64_t count, int64_t cols,
              const torch::Tensor& to) {
  float* out = to.data_ptr<float>();
  const int64_t rows = to.size(0), threads = at::get_num_threads();
  at::parallel_for(0, rows, std::max<int64_t>(1, (rows + threads - 1) / threads),
                   [&](int64_t begin, int64_t end) {
                     for (int64_t i = 0; i < count; ++i)
                       if (index[i] >= begin && index[i] < end)
                         kernels::add_column_sums(from + i * cols, 1, cols, out + index[i] * cols);
                   });
}

struct EmbeddingSum : torch::autograd::Function<EmbeddingSum> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor ids, torch::Tensor segments,
                               torch::Tensor token, MaybeTensor given, torch::Tensor segment) {
    ids = ids.contiguous(), segments = segments.contiguous();
    const torch::Tensor position = or_undefined(given);
    const bool placed = position.defined();
    const int64_t batch = ids.size(0), length = ids.size(1), size = token.size(1);
    TORCH_CHECK(!placed || length <= position.size(0), "more positions than embeddings");
    torch::Tensor out = torch::empty({batch, length, size}, torch::kFloat32);
    const int64_t *id = ids.data_ptr<int64_t>(), *part = segments.data_ptr<int64_t>();
    const float *tokens = token.data_ptr<float>(), *positions = values<float>(position),
                *parts = segment.data_ptr<float>();
    float* sums = out.data_ptr<float>();
    at::parallel_for(0, batch * length, kGrainRows, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        TORCH_CHECK_INDEX(
            id[i] >= 0 && id[i] < token.size(0) && part[i] >= 0 && part[i] < segment.size(0),
            "a piece or segment out of range");
        const float *a = tokens + id[i] * size, *c = parts + part[i] * size;
        if (placed) {
          const float* b = positions + i % length * size;
          for (int64_t j = 0; j < size; ++j) sums[i * size + j] = a[j] + b[j] + c[j];
        } else {
          for (int64_t j = 0; j < size; ++j) sums[i * size + j] = a[j] + c[j];
        }
      }
    });
    context->save_for_backward({ids, segments});
    context->saved_data["rows"] =
        std::vector<int64_t>{token.size(0), placed ? position.size(0) : 0, segment.size(0)};
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor grad = grads[0].contiguous();
    const auto rows = context->saved_data["rows"].toIntVector();
    const int64_t length = grad.size(1), size = grad.size(2), count = grad.size(0) * length;
    const float* from = grad.data_ptr<float>();
    const auto table = [&](size_t which) { return torch::zeros({rows[which], size}); };
    const torch::Tensor d_token = table(0), d_segment = table(2);
    add_rows(from, saved[0].data_ptr<int64_t>(), count, size, d_token);
    add_rows(from, saved[1].data_ptr<int64_t>(), count, size, d_segment);
    // Row i of the batch lies at position i % S: whole sentences add up as vectors of S * E.
    torch::Tensor d_position;
    if (rows[1] > 0) {
      d_position = table(1);
      kernels::add_column_sums(from, grad.size(0), length * size, d_position.data_ptr<float>());
    }
    return {torch::Tensor(), torch::Tensor(), d_token, d_position, d_segment};
  }
};

struct GatherRows : torch::autograd::Function<GatherRows> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor hidden, torch::Tensor rows) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    context->save_for_backward({rows});
    context->saved_data["shape"] = hidden.sizes().vec();
    return hidden.reshape({-1, hidden.size(-1)}).index_select(0, rows);
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const torch::Tensor rows = context->get_saved_variables()[0].contiguous();
    const torch::Tensor grad = grads[0].contiguous();
    const int64_t cols = grad.size(1);
    torch::Tensor out = torch::zeros(context->saved_data["shape"].toIntVector(), grad.options());
    if (!has_cpu_kernels(grad)) {
      const OneAddend each_row;
      out.view({-1, cols}).index_add_(0, rows, grad);
      return {out, torch::Tensor()};
    }
    const int64_t* row = rows.data_ptr<int64_t>();
    with_type_of(grad, [&](auto type) {
      using T = decltype(type);
      for (int64_t i = 0; i < rows.numel(); ++i)
        kernels::add(values<T>(grad) + i * cols, values<T>(out) + row[i] * cols, cols);
    });
    return {out, torch::Tensor()};
  }
};

// [..., classes] of this type: 1 at each number, 0 elsewhere.
torch::Tensor one_hot(const torch::Tensor& numbers, int64_t classes, torch::ScalarType type) {
  return numbers.unsqueeze(-1).eq(torch::arange(classes, numbers.options())).to(type);
}

// Adding rows up in a fixed order means sorting them on a device; a product adds them in one.
struct RowsOfFew : torch::autograd::Function<RowsOfFew> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor table, torch::Tensor rows) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    context->save_for_backward({rows});
    context->saved_data["rows"] = table.size(0);
    auto shape = rows.sizes().vec();
    shape.push_back(table.size(1));
    return table.index_select(0, rows.flatten()).view(shape);
  }
  static variable_list backward(AutogradContext* context, variable_list grads) {
    const torch::Tensor rows = context->get_saved_variables()[0].flatten();
    const torch::Tensor grad = grads[0].reshape({rows.numel(), grads[0].size(-1)});
    const torch::Tensor taken =
        one_hot(rows, context->saved_data["rows"].toInt(), grad.scalar_type());
    return {at::mm(taken.t(), grad), torch::Tensor()};
  }
};

// Positions [B, Q], each in its own example, as rows into B * S.
torch::Tensor rows_of(const torch::Tensor& positions, int64_t length) {
  const torch::Tensor first_B1 =
      (torch::arange(positions.size(0), positions.options()) * length).unsqueeze(1);
  return (positions + first_B1).flatten();
}

struct AtPositions : torch::autograd::Function<AtPositions> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor hidden,
                               torch::Tensor positions) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    context->save_for_backward({positions});
    context->saved_data["length"] = hidden.size(1);
    return hidden.reshape({-1, hidden.size(-1)})
        .index_select(0, rows_of(positions, hidden.size(1)))
        .view({hidden.size(0), positions.size(1), hidden.size(2)});
  }
  static variable_list backward(AutogradContext* context, variable_list grads) {
    const torch::Tensor taken_BQS =
        one_hot(context->get_saved_variables()[0], context->saved_data["length"].toInt(),
                grads[0].scalar_type());
    return {at::bmm(taken_BQS.transpose(1, 2), grads[0]), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor embedding_sum(const torch::Tensor& ids, const torch::Tensor& segments,
                            const torch::Tensor& token, const torch::Tensor& position,
                            const torch::Tensor& segment) {
  if (has_cpu_kernels(token))
    return EmbeddingSum::apply(ids, segments, token, maybe(position), segment);
  const torch::Tensor sum = torch::embedding(token, ids) + rows_of_few(segment, segments);
  return position.defined() ? sum + position.slice(0, 0, ids.size(1)) : sum;
}

torch::Tensor gather_rows(const torch::Tensor& hidden, const torch::Tensor& rows) {
  return GatherRows::apply(hidden, rows);
}

torch::Tensor rows_of_few(const torch::Tensor& table, const torch::Tensor& rows) {
  return RowsOfFew::apply(table, rows);
}

torch::Tensor at_positions(const torch::Tensor& hidden, const torch::Tensor& positions) {
  if (!has_cpu_kernels(hidden)) return AtPositions::apply(hidden, positions);
  return gather_rows(hidden, rows_of(positions, hidden.size(1)))
      .view({hidden.size(0), positions.size(1), hidden.size(2)});
}

}  // namespace minibert

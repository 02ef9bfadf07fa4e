#include "infer/engine/context_bonus.h"

#include <algorithm>
#include <cmath>

#include "infer/engine/float_ops.h"
#include "infer/engine/linear.h"
#include "infer/engine/piece_tokenizer.h"

namespace minibert::infer {

void ContextBonus::read(std::span<const int32_t> ids) {
  const int32_t rank = model_.context_key.rows, e = model_.context_key.cols;
  if (rank == 0) return;
  shown_P.assign(ids.begin(), ids.end());
  std::sort(shown_P.begin(), shown_P.end());
  key_PR.resize(ids.size() * size_t(rank));
  row_E.resize(size_t(e));
  size_t different = 0;
  for (size_t at = 0, count = 0; at < ids.size(); at += count) {
    const int32_t id = shown_P[at];
    count = size_t(std::upper_bound(shown_P.begin() + ptrdiff_t(at), shown_P.end(), id) -
                   shown_P.begin()) -
            at;
    if (id < kFirstOrdinaryId) continue;
    float* key_R = key_PR.data() + different * size_t(rank);
    copy_row(model_.token, id, row_E.data());
    multiply_transposed(row_E.data(), e, model_.context_key.float32, model_.context_key.bias, key_R,
                        rank, 1, rank, e);
    // The logarithm in double: rounded to float it is the same in every C library.
    scale(key_R, static_cast<float>(std::log1p(static_cast<double>(count))), rank);
    shown_P[different++] = id;
  }
  shown_P.resize(different);
}

void ContextBonus::add(const float* x_E, float* logits_V) {
  const int32_t rank = model_.context_query.rows, e = model_.context_query.cols;
  if (rank == 0) return;
  query_R.resize(size_t(rank));
  bonus_P.resize(shown_P.size());
  multiply_transposed(x_E, e, model_.context_query.float32, model_.context_query.bias,
                      query_R.data(), rank, 1, rank, e);
  const auto shown = static_cast<int32_t>(shown_P.size());
  multiply_transposed(query_R.data(), rank, key_PR.data(), nullptr, bonus_P.data(), shown, 1, shown,
                      rank);
  for (size_t p = 0; p < shown_P.size(); ++p) logits_V[shown_P[p]] += bonus_P[p];
}

}  // namespace minibert::infer

#include "model/ops/column_sums.h"

#include "model/ops/cpu_values.h"
#include "model/ops/row_blocks.h"
#include "model/ops/row_kernels.h"

namespace minibert {

torch::Tensor column_sums(const torch::Tensor& x) {
  if (!has_cpu_kernels(x)) return x.to(sum_type(x)).sum(0);
  const torch::Tensor in = x.contiguous();
  const int64_t cols = in.size(1);
  const RowBlocks blocks(in.size(0), cols);
  blocks.run([&](int64_t first, int64_t rows, float* sums) {
    with_type_of(in, [&](auto type) {
      kernels::add_column_sums(values<decltype(type)>(in) + first * cols, rows, cols, sums);
    });
  });
  return blocks.total();
}

}  // namespace minibert

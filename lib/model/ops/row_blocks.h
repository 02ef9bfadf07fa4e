// Sums over a matrix's rows on several threads, independent of their number and timing: blocks of a
// fixed size have their own sums, which are added in order.
#pragma once

#include <algorithm>

#include "core/torch.h"

namespace minibert {

class RowBlocks {
 public:
  static constexpr int64_t kRows = 128;

  // `width`: the number of sums in a block.
  RowBlocks(int64_t rows, int64_t width)
      : rows_(rows),
        sums_(torch::zeros({std::max<int64_t>(1, (rows + kRows - 1) / kRows), width},
                           torch::kFloat32)) {}

  // Calls work(first row, rows, the block's sums) for every block.
  template <class Work>
  void run(Work work) const {
    if (rows_ == 0) return;
    float* sums = sums_.data_ptr<float>();
    at::parallel_for(0, sums_.size(0), 1, [&](int64_t begin, int64_t end) {
      for (int64_t block = begin; block < end; ++block)
        work(block * kRows, std::min(kRows, rows_ - block * kRows), sums + block * sums_.size(1));
    });
  }

  // [width], float32.
  torch::Tensor total() const {
    torch::Tensor total = sums_[0].clone();
    float* out = total.data_ptr<float>();
    const float* sums = sums_.data_ptr<float>();
    const int64_t width = sums_.size(1);
    for (int64_t block = 1; block < sums_.size(0); ++block)
      for (int64_t i = 0; i < width; ++i) out[i] += sums[block * width + i];
    return total;
  }

 private:
  int64_t rows_;
  torch::Tensor sums_;
};

}  // namespace minibert

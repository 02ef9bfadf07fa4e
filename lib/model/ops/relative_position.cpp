#include "model/ops/relative_position.h"

#include <vector>

namespace minibert {
namespace {

constexpr double kNever = -1e9;

}  // namespace

torch::Tensor relative_offsets(const torch::Tensor& table, int64_t length) {
  std::vector<int64_t> buckets;
  for (int64_t offset = 1 - length; offset < length; ++offset)
    buckets.push_back(relative_bucket(offset));
  return table.index_select(1, torch::tensor(buckets, torch::kInt64).to(table.device()));
}

torch::Tensor causal_offsets(int64_t heads, int64_t length, torch::Device device) {
  torch::Tensor offsets =
      torch::zeros({heads, 2 * length - 1}, torch::dtype(torch::kFloat32).device(device));
  offsets.slice(1, length).fill_(kNever);
  return offsets;
}

}  // namespace minibert

#include "model/relative_position.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace minibert {
namespace {

constexpr int64_t kSide = kRelativeBuckets / 2, kExact = kSide / 2;
constexpr double kFarthest = 128;
constexpr double kNever = -1e9;

}  // namespace

int64_t relative_bucket(int64_t offset) {
  const int64_t side = offset > 0 ? kSide : 0, distance = std::abs(offset);
  if (distance < kExact) return side + distance;
  const double exact = kExact;
  const double far = std::log(static_cast<double>(distance) / exact) / std::log(kFarthest / exact);
  // A hair more, so that 16, 32 and 64 begin a bucket whatever the logarithm's last digit.
  const auto shared = static_cast<int64_t>(far * static_cast<double>(kSide - kExact) + 1e-9);
  return side + std::min(kSide - 1, kExact + shared);
}

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

#include "train/batching.h"

#include <algorithm>
#include <numeric>

namespace minibert {
namespace {

constexpr size_t kPoolBatches = 50;

void cut_sorted(std::vector<uint32_t> pool, const std::vector<uint32_t>& lengths, size_t batch_size,
                std::vector<std::vector<uint32_t>>* out) {
  std::stable_sort(pool.begin(), pool.end(),
                   [&](uint32_t a, uint32_t b) { return lengths[a] < lengths[b]; });
  for (size_t i = 0; i < pool.size(); i += batch_size)
    out->emplace_back(
        pool.begin() + static_cast<std::ptrdiff_t>(i),
        pool.begin() + static_cast<std::ptrdiff_t>(std::min(pool.size(), i + batch_size)));
}

}  // namespace

std::vector<std::vector<uint32_t>> bucketed_batches(const std::vector<uint32_t>& lengths,
                                                    int64_t batch_size, Rng rng) {
  std::vector<uint32_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0);
  rng.shuffle(order);
  const auto size = static_cast<size_t>(batch_size);
  std::vector<std::vector<uint32_t>> batches;
  for (size_t i = 0; i < order.size(); i += size * kPoolBatches) {
    const size_t end = std::min(order.size(), i + size * kPoolBatches);
    cut_sorted({order.begin() + static_cast<std::ptrdiff_t>(i),
                order.begin() + static_cast<std::ptrdiff_t>(end)},
               lengths, size, &batches);
  }
  rng.shuffle(batches);
  return batches;
}

std::vector<std::vector<uint32_t>> batches_of_pieces(const std::vector<uint32_t>& lengths,
                                                     int64_t pieces, Rng rng) {
  std::vector<uint32_t> order(lengths.size()), pool;
  std::iota(order.begin(), order.end(), 0);
  rng.shuffle(order);
  const auto most = static_cast<uint64_t>(pieces);
  std::vector<std::vector<uint32_t>> batches;
  uint64_t pooled = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    pool.push_back(order[i]);
    pooled += lengths[order[i]];
    if (pooled < most * kPoolBatches && i + 1 < order.size()) continue;
    std::ranges::stable_sort(pool, {}, [&](uint32_t one) { return lengths[one]; });
    batches.emplace_back();
    for (const uint32_t one : pool) {  // the longest so far
      if (!batches.back().empty() && (batches.back().size() + 1) * lengths[one] > most)
        batches.emplace_back();
      batches.back().push_back(one);
    }
    pool.clear();
    pooled = 0;
  }
  rng.shuffle(batches);
  return batches;
}

std::vector<std::vector<uint32_t>> sorted_batches(const std::vector<uint32_t>& lengths,
                                                  int64_t batch_size) {
  std::vector<uint32_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<uint32_t>> batches;
  cut_sorted(std::move(order), lengths, static_cast<size_t>(batch_size), &batches);
  return batches;
}

}  // namespace minibert

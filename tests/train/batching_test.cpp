// Batches of similar length, each example once.
#include "train/batching.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

namespace minibert {
namespace {

using Batches = std::vector<std::vector<uint32_t>>;

std::vector<uint32_t> random_lengths(size_t count) {
  Rng rng(3, "lengths");
  std::vector<uint32_t> lengths;
  for (size_t i = 0; i < count; ++i) lengths.push_back(static_cast<uint32_t>(20 + rng.below(365)));
  return lengths;
}

// Each of 0 … count-1 exactly once, no batch over batch_size and only the last of a pool under it.
void check_complete(const Batches& batches, size_t count, size_t batch_size) {
  std::vector<uint32_t> seen;
  size_t small = 0;
  for (const auto& batch : batches) {
    CHECK_FALSE(batch.empty());
    CHECK(batch.size() <= batch_size);
    small += batch.size() < batch_size;
    seen.insert(seen.end(), batch.begin(), batch.end());
  }
  CHECK(small <= 1);
  CHECK(batches.size() == (count + batch_size - 1) / batch_size);
  std::sort(seen.begin(), seen.end());
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  CHECK(seen == all);
}

// Positions that padding adds, as a share of the real ones.
double padding(const Batches& batches, const std::vector<uint32_t>& lengths) {
  double real = 0, padded = 0;
  for (const auto& batch : batches) {
    uint32_t longest = 0;
    for (const uint32_t i : batch) {
      real += lengths[i];
      longest = std::max(longest, lengths[i]);
    }
    padded += static_cast<double>(longest) * static_cast<double>(batch.size());
  }
  return padded / real - 1;
}

}  // namespace

TEST_CASE("an epoch has every example exactly once") {
  for (const size_t count : {1UL, 7UL, 32UL, 33UL, 1600UL, 5000UL})
    for (const size_t size : {1UL, 32UL}) {
      CAPTURE(count, size);
      const auto lengths = random_lengths(count);
      const auto batch_size = static_cast<int64_t>(size);
      check_complete(bucketed_batches(lengths, batch_size, Rng(1)), count, size);
      check_complete(sorted_batches(lengths, batch_size), count, size);
    }
}

TEST_CASE("batches of so many pieces hold many short examples or few long ones, each once") {
  for (const size_t count : {1UL, 7UL, 5000UL}) {
    const auto lengths = random_lengths(count);
    const auto batches = batches_of_pieces(lengths, 1000, Rng(1));
    std::vector<uint32_t> seen;
    for (const auto& batch : batches) {
      uint32_t longest = 0;
      for (const uint32_t i : batch) longest = std::max(longest, lengths[i]);
      CHECK((batch.size() == 1 || batch.size() * longest <= 1000));
      seen.insert(seen.end(), batch.begin(), batch.end());
    }
    std::ranges::sort(seen);
    REQUIRE(seen.size() == count);
    for (uint32_t i = 0; i < count; ++i) CHECK(seen[i] == i);
    if (count == 5000) CHECK(padding(batches, lengths) < 0.1);
    CHECK(batches == batches_of_pieces(lengths, 1000, Rng(1)));
  }
}

TEST_CASE("an epoch's batches follow from the seed alone") {
  const auto lengths = random_lengths(3000);
  const auto batches = [&](uint64_t seed, uint64_t epoch) {
    return bucketed_batches(lengths, 32, Rng(seed, "batches", epoch));
  };
  CHECK(batches(1, 0) == batches(1, 0));
  CHECK(batches(1, 0) != batches(1, 1));
  CHECK(batches(1, 0) != batches(2, 0));
}

TEST_CASE("examples of a batch have similar lengths, batches come in no order of length") {
  const auto lengths = random_lengths(5000);
  const auto batches = bucketed_batches(lengths, 32, Rng(1));
  // In random batches of such lengths the longest makes up 0.8 more.
  CHECK(padding(batches, lengths) < 0.05);
  size_t rising = 0;
  for (size_t i = 1; i < batches.size(); ++i)
    rising += lengths[batches[i][0]] > lengths[batches[i - 1][0]];
  const double share = static_cast<double>(rising) / static_cast<double>(batches.size());
  CHECK(share > 0.35);
  CHECK(share < 0.65);
}

TEST_CASE("sorted batches rise in length and pad least") {
  const auto lengths = random_lengths(5000);
  const auto batches = sorted_batches(lengths, 32);
  uint32_t last = 0;
  for (const auto& batch : batches)
    for (const uint32_t i : batch) {
      CHECK(lengths[i] >= last);
      last = lengths[i];
    }
  CHECK(padding(batches, lengths) < 0.01);
}

TEST_CASE("no examples, no batches") {
  CHECK(bucketed_batches({}, 32, Rng(1)).empty());
  CHECK(sorted_batches({}, 32).empty());
}

}  // namespace minibert

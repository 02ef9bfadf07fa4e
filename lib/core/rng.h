// Counter-based random numbers: every stream follows from (seed, purpose, epoch, index) alone, so
// that neither thread timing nor the number of threads changes a result.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace minibert {

// Derives a 64-bit key from (seed, purpose, epoch, index) by SplitMix64 over the purpose's FNV-1a.
uint64_t derive_seed(uint64_t seed, std::string_view purpose, uint64_t epoch = 0,
                     uint64_t index = 0);

// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same on every platform, which
// std::uniform_int_distribution is not.
__extension__ using uint128 = unsigned __int128;

class Rng {
 public:
  explicit Rng(uint64_t key) : state_(key) {}
  Rng(uint64_t seed, std::string_view purpose, uint64_t epoch = 0, uint64_t index = 0)
      : Rng(derive_seed(seed, purpose, epoch, index)) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  // Uniform in [0, 1) with 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  // Uniform in [0, n), n > 0; multiply-shift, with a bias below 2^-32 for n < 2^32.
  uint64_t below(uint64_t n) {
    return static_cast<uint64_t>((static_cast<uint128>(next()) * n) >> 64);
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  uint64_t state_;
};

}  // namespace minibert

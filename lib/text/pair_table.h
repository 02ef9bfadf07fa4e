// A table of joinable pairs of ids: byte-pair encoding of a word (Sennrich, Haddow, Birch 2016).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace minibert {

struct RankedPair {
  int32_t left, right;  // ids below 65536, not both 0
  int32_t rank;         // from 0; the lowest is joined first
  int32_t joined;       // the same for every pair of this rank
};

// Thread-safe after construction.
class PairTable {
 public:
  explicit PairTable(std::span<const RankedPair> pairs = {});

  // Joins neighbours in place until no pair is in the table: the pair of lowest rank first, the
  // leftmost on a tie. Returns how many symbols are left. Takes O(n log n) for n symbols; short
  // words, the most frequent, take O(n²) without allocation.
  size_t join(std::span<int32_t> symbols) const;

 private:
  struct HashSlot {
    uint32_t key = 0;  // left id << 16 | right id; 0, which is no pair, marks a free slot
    int32_t rank = 0;
  };
  size_t slot_of(uint32_t key) const;
  int32_t rank_of(int32_t left, int32_t right) const;
  size_t join_short(std::span<int32_t> symbols) const;
  size_t join_long(std::span<int32_t> symbols) const;

  std::vector<HashSlot> slots_;  // 2^bits_ slots of a hash table, at most half of them taken
  std::vector<int32_t> joined_;  // by rank
  int bits_ = 0;
};

}  // namespace minibert

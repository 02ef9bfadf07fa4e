#include "text/pair_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <queue>
#include <tuple>

namespace minibert {
namespace {

constexpr size_t kShort = 48;  // symbols
constexpr int32_t kNoPair = std::numeric_limits<int32_t>::max();
constexpr int32_t kGone = -1;  // joined to the symbol before

uint32_t key_of(int32_t left, int32_t right) {
  return static_cast<uint32_t>(left) << 16 | static_cast<uint32_t>(right);
}

}  // namespace

PairTable::PairTable(std::span<const RankedPair> pairs) {
  bits_ = std::bit_width(4 * pairs.size() + 1);
  slots_.resize(size_t{1} << bits_);
  for (const RankedPair& pair : pairs) {
    const uint32_t key = key_of(pair.left, pair.right);
    slots_[slot_of(key)] = {key, pair.rank};
    const auto rank = static_cast<size_t>(pair.rank);
    if (joined_.size() <= rank) joined_.resize(rank + 1);
    joined_[rank] = pair.joined;
  }
}

// Where the pair stands, or the free place where it would.
size_t PairTable::slot_of(uint32_t key) const {
  size_t place = (key * uint32_t{2654435769}) >> (32 - bits_);  // Knuth's multiplicative hashing
  while (slots_[place].key != 0 && slots_[place].key != key)
    place = (place + 1) & (slots_.size() - 1);
  return place;
}

int32_t PairTable::rank_of(int32_t left, int32_t right) const {
  const HashSlot& place = slots_[slot_of(key_of(left, right))];
  return place.key == 0 ? kNoPair : place.rank;
}

size_t PairTable::join(std::span<int32_t> symbols) const {
  return symbols.size() <= kShort ? join_short(symbols) : join_long(symbols);
}

size_t PairTable::join_short(std::span<int32_t> symbols) const {
  size_t count = symbols.size();
  std::array<int32_t, kShort> ranks;  // of symbols i and i + 1
  for (size_t i = 0; i + 1 < count; ++i) ranks[i] = rank_of(symbols[i], symbols[i + 1]);
  while (count > 1) {
    const auto best = std::min_element(ranks.begin(), ranks.begin() + count - 1);
    if (*best == kNoPair) break;
    const auto at = static_cast<size_t>(best - ranks.begin());
    symbols[at] = joined_[static_cast<size_t>(*best)];
    std::copy(symbols.begin() + at + 2, symbols.begin() + count, symbols.begin() + at + 1);
    std::copy(ranks.begin() + at + 1, ranks.begin() + count - 1, ranks.begin() + at);
    --count;
    if (at > 0) ranks[at - 1] = rank_of(symbols[at - 1], symbols[at]);
    if (at + 1 < count) ranks[at] = rank_of(symbols[at], symbols[at + 1]);
  }
  return count;
}

// Symbols in a linked list; pairs in a heap, which skips pairs with changed symbols.
size_t PairTable::join_long(std::span<int32_t> symbols) const {
  using Candidate = std::tuple<int32_t, size_t, int32_t, int32_t>;  // rank, place, left, right
  const size_t size = symbols.size();
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> heap;
  std::vector<size_t> next(size), previous(size);
  const auto add = [&](size_t at) {
    if (next[at] == size) return;
    const int32_t rank = rank_of(symbols[at], symbols[next[at]]);
    if (rank != kNoPair) heap.emplace(rank, at, symbols[at], symbols[next[at]]);
  };
  for (size_t i = 0; i < size; ++i) next[i] = i + 1, previous[i] = i - 1;
  for (size_t i = 0; i < size; ++i) add(i);
  while (!heap.empty()) {
    const auto [rank, at, left, right] = heap.top();
    heap.pop();
    if (symbols[at] != left || next[at] == size || symbols[next[at]] != right) continue;
    const size_t gone = next[at];
    symbols[at] = joined_[static_cast<size_t>(rank)];
    symbols[gone] = kGone;
    next[at] = next[gone];
    if (next[at] != size) previous[next[at]] = at;
    add(at);
    if (at > 0) add(previous[at]);
  }
  return static_cast<size_t>(std::remove(symbols.begin(), symbols.end(), kGone) - symbols.begin());
}

}  // namespace minibert

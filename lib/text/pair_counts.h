// Words as symbols, and how often every pair of neighbouring symbols stands in them: what a learner of
// byte-pair merges works on (Sennrich, Haddow, Birch 2016).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace minibert {

struct SymbolPair {
  uint32_t left, right;
  auto operator<=>(const SymbolPair&) const = default;
};

struct SymbolPairHash {
  size_t operator()(const SymbolPair& pair) const {
    const uint64_t key = uint64_t{pair.left} << 32 | pair.right;
    return static_cast<size_t>((key * 0x9e3779b97f4a7c15u) >>
                               16);  // Knuth's multiplicative hashing
  }
};

// When a pair is joined, only the counts of its neighbours change. Not thread-safe.
class PairCounts {
 public:
  struct Pair {
    uint64_t count = 0;
    std::vector<uint32_t> words;  // with the pair, or once with it
  };
  using Pairs = std::unordered_map<SymbolPair, Pair, SymbolPairHash>;

  // A word that stands `count` times in the text; words are 0, 1, … as they are added.
  uint32_t add_word(std::span<const uint32_t> symbols, uint64_t count);
  // The word stands once more in the text.
  void count_again(uint32_t word);

  size_t words() const { return words_.size(); }
  uint64_t count(size_t word) const { return words_[word].count; }
  std::span<const uint32_t> symbols(size_t word) const {
    return {symbols_.data() + words_[word].begin, words_[word].size};
  }
  const Pairs& pairs() const { return pairs_; }

  // Writes `both` for the pair in every word, from left to right. Returns the pairs, each once, that
  // may be more frequent than before: those with `both`.
  std::vector<SymbolPair> join(SymbolPair pair, uint32_t both);

 private:
  struct Word {
    uint64_t begin;  // in symbols_
    uint32_t size;
    uint64_t count;
  };
  void more(SymbolPair pair, uint32_t word, std::vector<SymbolPair>* grown);
  void fewer(SymbolPair pair, uint32_t word);
  void join_in(uint32_t word, SymbolPair pair, uint32_t both, std::vector<SymbolPair>* grown);

  std::vector<uint32_t> symbols_;
  std::vector<Word> words_;
  Pairs pairs_;
};

}  // namespace minibert

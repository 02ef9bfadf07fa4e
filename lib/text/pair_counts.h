// Holds words as symbols and counts every pair of neighbouring symbols; learners of byte-pair
// merges work on it (Sennrich, Haddow, Birch 2016).
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

// Joining a pair changes only the counts of its neighbours. Not thread-safe.
class PairCounts {
 public:
  struct Pair {
    uint64_t count = 0;
    std::vector<uint32_t> words;  // words that have or had the pair
  };
  using Pairs = std::unordered_map<SymbolPair, Pair, SymbolPairHash>;

  // Adds a word that occurs `count` times in the text and returns its number; words are 0, 1, ….
  uint32_t add_word(std::span<const uint32_t> symbols, uint64_t count);
  // Counts one more occurrence of the word.
  void count_again(uint32_t word);

  size_t words() const { return words_.size(); }
  uint64_t count(size_t word) const { return words_[word].count; }
  std::span<const uint32_t> symbols(size_t word) const {
    return {symbols_.data() + words_[word].begin, words_[word].size};
  }
  const Pairs& pairs() const { return pairs_; }

  // Replaces the pair by `both` in every word, from left to right. Returns, each once, the pairs
  // with `both`: only they may be more frequent than before.
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

// Byte-pair encoding step by step (Sennrich, Haddow, Birch 2016), as the course writes it (S2): words
// with "</w>" at their ends, counts of neighbouring symbols, the most frequent pair joined, again and
// again. For looking at; models are trained with train_tokenizer (text/tokenizer.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/pair_counts.h"

namespace minibert {

inline constexpr std::string_view kWordEnd = "</w>";

struct CountedPair {
  std::string left, right;
  uint64_t count = 0;  // of its places in the text
};

// The words of a text and the merges learnt from them. Not thread-safe.
class BpeByHand {
 public:
  // Words as Python's str.split() finds them, by code point. Before the first merge. Error: a line
  // that is not UTF-8.
  void add_line(std::string_view line);

  // Different words, in order of their first place in the text: 0 … words() - 1.
  size_t words() const { return counts_.words(); }
  uint64_t count(size_t word) const { return counts_.count(word); }
  // "V a l k y r i a </w>", as the merges so far have it.
  std::string symbols(size_t word) const;

  // Different pairs, and the first `limit` of them in the order of the words.
  size_t pairs() const { return counts_.pairs().size(); }
  std::vector<CountedPair> first_pairs(size_t limit) const;

  // Joins the most frequent pair everywhere, from left to right, and returns it; of several the one
  // whose first place comes first. Empty when every word is one symbol.
  std::optional<CountedPair> merge();

 private:
  using Place = std::pair<uint32_t, size_t>;  // word, position

  uint32_t symbol(std::string_view text);
  CountedPair counted(SymbolPair pair) const;
  Place first_place(SymbolPair pair) const;
  std::optional<SymbolPair> most_frequent() const;

  std::vector<std::string> symbols_;
  std::unordered_map<std::string, uint32_t> symbol_of_;
  std::unordered_map<std::string, uint32_t> word_of_;
  PairCounts counts_;
};

using Merges = std::vector<CountedPair>;

// A word's symbols before the first merge and after each: merges.size() + 1 rows.
std::vector<std::vector<std::string>> apply_merges(std::string_view word, const Merges& merges);

// A word's pieces: the last of those rows, without a "</w>" that stands alone.
std::vector<std::string> merged_pieces(std::string_view word, const Merges& merges);

// [PAD], [UNK], [CLS], [SEP], [MASK] as 0 … 4, then the merges' pieces. One that two merges make has
// the later id, and a piece that no merge makes is [UNK].
class MergedVocabulary {
 public:
  explicit MergedVocabulary(const Merges& merges);
  // Every piece once, in order of its first appearance.
  const std::vector<std::pair<std::string, int32_t>>& pieces() const { return pieces_; }
  int32_t id(const std::string& piece) const;

 private:
  std::vector<std::pair<std::string, int32_t>> pieces_;
  std::unordered_map<std::string, size_t> index_;
};

}  // namespace minibert

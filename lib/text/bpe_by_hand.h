// Byte-pair encoding step by step (Sennrich, Haddow, Birch 2016), as the course writes it (S2):
// words end with "</w>", neighbouring symbols are counted, and the most frequent pair is joined,
// again and again. For demonstration; train_tokenizer (text/tokenizer.h) trains models.
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
  uint64_t count = 0;  // occurrences in the text
};

// The words of a text and the merges learned from them. Not thread-safe.
class BpeByHand {
 public:
  // Adds a line's words, cut like Python's str.split(). Call it before the first merge. Throws
  // Error if the line is not UTF-8.
  void add_line(std::string_view line);

  // The number of different words; word 0 … words() - 1 in order of first occurrence.
  size_t words() const { return counts_.words(); }
  uint64_t count(size_t word) const { return counts_.count(word); }
  // Returns a word after the merges so far: "V a l k y r i a </w>".
  std::string symbols(size_t word) const;

  // The number of different pairs, and the first `limit` of them in order of occurrence.
  size_t pairs() const { return counts_.pairs().size(); }
  std::vector<CountedPair> first_pairs(size_t limit) const;

  // Joins the most frequent pair everywhere, from left to right, and returns it; on a tie, the pair
  // that occurs first. Returns nothing if every word is one symbol.
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

// Returns a word's symbols before the first merge and after each: merges.size() + 1 rows.
std::vector<std::vector<std::string>> apply_merges(std::string_view word, const Merges& merges);

// Returns a word's pieces after all merges, without a "</w>" that stands alone.
std::vector<std::string> merged_pieces(std::string_view word, const Merges& merges);

// [PAD], [UNK], [CLS], [SEP], [MASK] as 0 … 4, then the merges' pieces. A piece that two merges
// make has the later id; a piece that no merge makes is [UNK].
class MergedVocabulary {
 public:
  explicit MergedVocabulary(const Merges& merges);
  // Every piece once, in order of first appearance.
  const std::vector<std::pair<std::string, int32_t>>& pieces() const { return pieces_; }
  int32_t id(const std::string& piece) const;

 private:
  std::vector<std::pair<std::string, int32_t>> pieces_;
  std::unordered_map<std::string, size_t> index_;
};

}  // namespace minibert

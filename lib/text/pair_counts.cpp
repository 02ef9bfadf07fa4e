#include "text/pair_counts.h"

#include <algorithm>
#include <utility>

namespace minibert {

uint32_t PairCounts::add_word(std::span<const uint32_t> symbols, uint64_t count) {
  const auto word = static_cast<uint32_t>(words_.size());
  words_.push_back({symbols_.size(), static_cast<uint32_t>(symbols.size()), count});
  symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
  for (size_t i = 0; i + 1 < symbols.size(); ++i) more({symbols[i], symbols[i + 1]}, word, nullptr);
  return word;
}

void PairCounts::count_again(uint32_t word) {
  ++words_[word].count;
  const std::span<const uint32_t> found = symbols(word);
  for (size_t i = 0; i + 1 < found.size(); ++i) ++pairs_.at({found[i], found[i + 1]}).count;
}

std::vector<SymbolPair> PairCounts::join(SymbolPair pair, uint32_t both) {
  const auto found = pairs_.find(pair);
  if (found == pairs_.end()) return {};
  const std::vector<uint32_t> words = std::move(found->second.words);
  pairs_.erase(found);
  std::vector<SymbolPair> grown;
  for (const uint32_t word : words) join_in(word, pair, both, &grown);
  std::ranges::sort(grown);
  grown.erase(std::ranges::unique(grown).begin(), grown.end());
  std::erase_if(grown, [&](const SymbolPair& one) { return !pairs_.contains(one); });
  return grown;
}

void PairCounts::more(SymbolPair pair, uint32_t word, std::vector<SymbolPair>* grown) {
  Pair& found = pairs_[pair];
  found.count += words_[word].count;
  if (found.words.empty() || found.words.back() != word) found.words.push_back(word);
  if (grown != nullptr) grown->push_back(pair);
}

// A pair that is no longer counted, since it is being joined, is left alone.
void PairCounts::fewer(SymbolPair pair, uint32_t word) {
  const auto found = pairs_.find(pair);
  if (found != pairs_.end() && (found->second.count -= words_[word].count) == 0)
    pairs_.erase(found);
}

void PairCounts::join_in(uint32_t word, SymbolPair pair, uint32_t both,
                         std::vector<SymbolPair>* grown) {
  uint32_t* const symbols = symbols_.data() + words_[word].begin;
  const uint32_t size = words_[word].size;
  uint32_t out = 0;  // symbols before `out` are the new ones, from `i` on the old ones
  for (uint32_t i = 0; i < size; ++i) {
    if (i + 1 == size || symbols[i] != pair.left || symbols[i + 1] != pair.right) {
      symbols[out++] = symbols[i];
      continue;
    }
    if (out > 0) {
      fewer({symbols[out - 1], pair.left}, word);
      more({symbols[out - 1], both}, word, grown);
    }
    if (i + 2 < size) {
      fewer({pair.right, symbols[i + 2]}, word);
      more({both, symbols[i + 2]}, word, grown);
    }
    symbols[out++] = both;
    ++i;
  }
  words_[word].size = out;
}

}  // namespace minibert

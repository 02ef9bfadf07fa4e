#include "text/bpe_by_hand.h"

#include <algorithm>
#include <unordered_set>

#include "core/utf8.h"
#include "text/python_text.h"

namespace minibert {
namespace {

uint64_t key_of(uint32_t left, uint32_t right) { return uint64_t{left} << 32 | right; }
uint32_t left_of(uint64_t key) { return static_cast<uint32_t>(key >> 32); }
uint32_t right_of(uint64_t key) { return static_cast<uint32_t>(key); }

// Joins every `left` with the `right` behind it, from left to right.
template <class Symbol>
std::vector<Symbol> joined(const std::vector<Symbol>& symbols, const Symbol& left,
                           const Symbol& right, const Symbol& both) {
  std::vector<Symbol> out;
  for (size_t i = 0; i < symbols.size(); ++i) {
    const bool is_pair = i + 1 < symbols.size() && symbols[i] == left && symbols[i + 1] == right;
    out.push_back(is_pair ? both : symbols[i]);
    i += is_pair ? 1 : 0;
  }
  return out;
}

std::vector<std::string> characters(std::string_view word) {
  std::vector<std::string> out;
  for (const char32_t c : to_code_points(word)) out.push_back(to_utf8({&c, 1}));
  out.emplace_back(kWordEnd);
  return out;
}

}  // namespace

void BpeByHand::add_line(std::string_view line) {
  const std::u32string text = to_code_points(line);
  for (const CodePoints& range : split_ranges(text)) {
    const std::string word =
        to_utf8(std::u32string_view(text).substr(range.begin, range.end - range.begin));
    const auto [found, is_new] = word_of_.try_emplace(word, static_cast<uint32_t>(words_.size()));
    if (is_new) {
      words_.emplace_back();
      for (const std::string& character : characters(word))
        words_.back().symbols.push_back(symbol(character));
    }
    ++words_[found->second].count;
    if (is_new) {
      count_pairs(found->second);
    } else {
      const Symbols& symbols = words_[found->second].symbols;
      for (size_t i = 0; i + 1 < symbols.size(); ++i)
        ++pairs_[key_of(symbols[i], symbols[i + 1])].count;
    }
  }
}

std::string BpeByHand::symbols(size_t word) const {
  std::string out;
  for (const uint32_t symbol : words_[word].symbols)
    out += (out.empty() ? "" : " ") + symbols_[symbol];
  return out;
}

std::vector<CountedPair> BpeByHand::first_pairs(size_t limit) const {
  std::vector<CountedPair> out;
  std::unordered_set<uint64_t> seen;
  for (const Word& word : words_)
    for (size_t i = 0; i + 1 < word.symbols.size(); ++i) {
      if (out.size() == limit) return out;
      const uint64_t key = key_of(word.symbols[i], word.symbols[i + 1]);
      if (seen.insert(key).second) out.push_back(counted(key, pairs_.at(key).count));
    }
  return out;
}

std::optional<CountedPair> BpeByHand::merge() {
  const std::optional<uint64_t> best = most_frequent();
  if (!best) return {};
  const CountedPair pair = counted(*best, pairs_.at(*best).count);
  const uint32_t both = symbol(pair.left + pair.right);
  const std::vector<uint32_t> touched = pairs_.at(*best).words;
  for (const uint32_t word : touched) {
    const Symbols merged = joined(words_[word].symbols, left_of(*best), right_of(*best), both);
    if (merged.size() == words_[word].symbols.size()) continue;
    uncount_pairs(word);
    words_[word].symbols = merged;
    count_pairs(word);
  }
  return pair;
}

uint32_t BpeByHand::symbol(std::string_view text) {
  const auto [found, is_new] =
      symbol_of_.try_emplace(std::string(text), static_cast<uint32_t>(symbols_.size()));
  if (is_new) symbols_.emplace_back(text);
  return found->second;
}

CountedPair BpeByHand::counted(uint64_t key, uint64_t count) const {
  return {symbols_[left_of(key)], symbols_[right_of(key)], count};
}

BpeByHand::Place BpeByHand::first_place(uint64_t key, const Pair& pair) const {
  Place first{UINT32_MAX, 0};
  for (const uint32_t word : pair.words) {
    if (word >= first.first) continue;
    const Symbols& symbols = words_[word].symbols;
    for (size_t i = 0; i + 1 < symbols.size(); ++i)
      if (key_of(symbols[i], symbols[i + 1]) == key) {
        first = {word, i};
        break;
      }
  }
  return first;
}

std::optional<uint64_t> BpeByHand::most_frequent() const {
  uint64_t most = 0;
  std::vector<uint64_t> keys;
  for (const auto& [key, pair] : pairs_) {
    if (pair.count < most) continue;
    if (pair.count > most) keys.clear();
    most = pair.count;
    keys.push_back(key);
  }
  if (keys.size() < 2) return keys.empty() ? std::nullopt : std::optional(keys.front());
  return *std::ranges::min_element(keys, {},
                                   [&](uint64_t key) { return first_place(key, pairs_.at(key)); });
}

void BpeByHand::count_pairs(uint32_t word) {
  const auto& [symbols, count] = words_[word];
  for (size_t i = 0; i + 1 < symbols.size(); ++i) {
    Pair& pair = pairs_[key_of(symbols[i], symbols[i + 1])];
    pair.count += count;
    if (pair.words.empty() || pair.words.back() != word) pair.words.push_back(word);
  }
}

void BpeByHand::uncount_pairs(uint32_t word) {
  const auto& [symbols, count] = words_[word];
  for (size_t i = 0; i + 1 < symbols.size(); ++i) {
    const auto pair = pairs_.find(key_of(symbols[i], symbols[i + 1]));
    if (pair != pairs_.end() && (pair->second.count -= count) == 0) pairs_.erase(pair);
  }
}

std::vector<std::vector<std::string>> apply_merges(std::string_view word, const Merges& merges) {
  std::vector<std::vector<std::string>> rows = {characters(word)};
  for (const CountedPair& pair : merges)
    rows.push_back(joined(rows.back(), pair.left, pair.right, pair.left + pair.right));
  return rows;
}

std::vector<std::string> merged_pieces(std::string_view word, const Merges& merges) {
  std::vector<std::string> pieces = apply_merges(word, merges).back();
  if (pieces.back() == kWordEnd) pieces.pop_back();
  return pieces;
}

MergedVocabulary::MergedVocabulary(const Merges& merges) {
  std::vector<std::string> all = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (const CountedPair& pair : merges) all.push_back(pair.left + pair.right);
  for (size_t id = 0; id < all.size(); ++id) {
    const auto [found, is_new] = index_.try_emplace(all[id], pieces_.size());
    if (is_new) pieces_.emplace_back(all[id], 0);
    pieces_[found->second].second = static_cast<int32_t>(id);
  }
}

int32_t MergedVocabulary::id(const std::string& piece) const {
  const auto found = index_.find(piece);
  return pieces_[found == index_.end() ? index_.at("[UNK]") : found->second].second;
}

}  // namespace minibert

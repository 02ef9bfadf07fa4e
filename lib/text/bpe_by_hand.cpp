#include "text/bpe_by_hand.h"

#include <algorithm>
#include <set>
#include <span>

#include "core/utf8.h"
#include "text/python_text.h"
#include "text/wordpiece_file.h"

namespace minibert {
namespace {

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
    const auto [found, is_new] = word_of_.try_emplace(word, static_cast<uint32_t>(words()));
    if (!is_new) {
      counts_.count_again(found->second);
      continue;
    }
    std::vector<uint32_t> symbols;
    for (const std::string& character : characters(word)) symbols.push_back(symbol(character));
    counts_.add_word(symbols, 1);
  }
}

std::string BpeByHand::symbols(size_t word) const {
  std::string out;
  for (const uint32_t symbol : counts_.symbols(word))
    out += (out.empty() ? "" : " ") + symbols_[symbol];
  return out;
}

std::vector<CountedPair> BpeByHand::first_pairs(size_t limit) const {
  std::vector<CountedPair> out;
  std::set<SymbolPair> seen;
  for (size_t word = 0; word < words(); ++word) {
    const std::span<const uint32_t> symbols = counts_.symbols(word);
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      if (out.size() == limit) return out;
      const SymbolPair pair{symbols[i], symbols[i + 1]};
      if (seen.insert(pair).second) out.push_back(counted(pair));
    }
  }
  return out;
}

std::optional<CountedPair> BpeByHand::merge() {
  const std::optional<SymbolPair> best = most_frequent();
  if (!best) return {};
  const CountedPair pair = counted(*best);
  counts_.join(*best, symbol(pair.left + pair.right));
  return pair;
}

uint32_t BpeByHand::symbol(std::string_view text) {
  const auto [found, is_new] =
      symbol_of_.try_emplace(std::string(text), static_cast<uint32_t>(symbols_.size()));
  if (is_new) symbols_.emplace_back(text);
  return found->second;
}

CountedPair BpeByHand::counted(SymbolPair pair) const {
  return {symbols_[pair.left], symbols_[pair.right], counts_.pairs().at(pair).count};
}

BpeByHand::Place BpeByHand::first_place(SymbolPair pair) const {
  Place first{UINT32_MAX, 0};
  for (const uint32_t word : counts_.pairs().at(pair).words) {
    if (word >= first.first) continue;
    const std::span<const uint32_t> symbols = counts_.symbols(word);
    for (size_t i = 0; i + 1 < symbols.size(); ++i)
      if (SymbolPair{symbols[i], symbols[i + 1]} == pair) {
        first = {word, i};
        break;
      }
  }
  return first;
}

std::optional<SymbolPair> BpeByHand::most_frequent() const {
  uint64_t most = 0;
  std::vector<SymbolPair> found;
  for (const auto& [pair, counted] : counts_.pairs()) {
    if (counted.count < most) continue;
    if (counted.count > most) found.clear();
    most = counted.count;
    found.push_back(pair);
  }
  if (found.size() < 2) return found.empty() ? std::nullopt : std::optional(found.front());
  return *std::ranges::min_element(found, {}, [&](SymbolPair pair) { return first_place(pair); });
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
  std::vector<std::string> all(kBertSpecials.begin(), kBertSpecials.end());
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

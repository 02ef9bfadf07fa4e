#include "text/byte_bpe_trainer.h"

#include <queue>
#include <tuple>
#include <unordered_map>

#include "core/error.h"
#include "core/utf8.h"
#include "text/byte_words.h"
#include "text/line_reader.h"
#include "text/pair_counts.h"
#include "text/pieces.h"
#include "text/text_hash.h"
#include "text/tokenizer.h"
#include "text/written_specials.h"

namespace minibert {
namespace {

using WordCounts = std::unordered_map<std::string, uint64_t, TextHash, std::equal_to<>>;

// The words that the encoder would find.
WordCounts count_words(const std::vector<std::string>& files) {
  std::vector<WrittenSpecial> specials;
  for (const std::string_view name : kSpecialPieceNames)
    specials.push_back({std::string(name), static_cast<int32_t>(specials.size())});
  WordCounts counts;
  std::string line;
  std::vector<std::string_view> words;
  for (const std::string& file : files) {
    LineReader reader(file);
    while (reader.next(&line)) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      if (first_invalid_utf8(line) != kValid) throw Error(reader.where() + ": not valid UTF-8");
      if (line[0] != ' ' && parts_of(line, specials)[0].special < 0) line.insert(0, 1, ' ');
      words.clear();
      for (const TextPart& part : parts_of(line, specials))
        if (part.special < 0) append_byte_words(part.text, &words);
      for (const std::string_view word : words) {
        const auto found = counts.find(word);
        if (found == counts.end())
          counts.emplace(word, 1);
        else
          ++found->second;
      }
    }
  }
  if (counts.empty()) throw Error("every line of the tokenizer's text is blank");
  return counts;
}

// Pieces and their ids.
class Pieces {
 public:
  explicit Pieces(ByteBpe* bpe) : bpe_(bpe) {}
  int32_t id(const std::string& piece) {
    const auto [found, is_new] = ids_.try_emplace(piece, static_cast<int32_t>(bpe_->pieces.size()));
    if (is_new) bpe_->pieces.push_back(piece);
    return found->second;
  }

 private:
  ByteBpe* bpe_;
  std::unordered_map<std::string, int32_t> ids_;
};

// The most frequent first, then the lowest ids.
struct Candidate {
  uint64_t count;
  SymbolPair pair;
  bool operator<(const Candidate& other) const {
    return std::tie(count, other.pair) < std::tie(other.count, pair);
  }
};

}  // namespace

ByteBpe train_byte_bpe(const std::vector<std::string>& text_files, int32_t vocab_size) {
  ByteBpe bpe;
  Pieces pieces(&bpe);
  for (const std::string_view name : kSpecialPieceNames) pieces.id(std::string(name));
  std::vector<uint32_t> symbol_of(256);
  for (const uint8_t byte : byte_symbols())
    symbol_of[byte] =
        static_cast<uint32_t>(pieces.id(byte_letters({reinterpret_cast<const char*>(&byte), 1})));

  PairCounts counts;
  std::vector<uint32_t> symbols;
  for (const auto& [word, count] : count_words(text_files)) {
    symbols.clear();
    for (const char byte : word) symbols.push_back(symbol_of[static_cast<uint8_t>(byte)]);
    counts.add_word(symbols, count);
  }

  // A count in the heap may be older than counts.pairs(), which never grows without a new candidate.
  std::priority_queue<Candidate> heap;
  for (const auto& [pair, found] : counts.pairs()) heap.push({found.count, pair});
  while (bpe.pieces.size() < static_cast<size_t>(vocab_size) && !heap.empty()) {
    const Candidate best = heap.top();
    heap.pop();
    const auto found = counts.pairs().find(best.pair);
    if (found == counts.pairs().end()) continue;
    if (found->second.count != best.count) {
      if (found->second.count < best.count) heap.push({found->second.count, best.pair});
      continue;
    }
    const auto left = static_cast<int32_t>(best.pair.left);
    const auto right = static_cast<int32_t>(best.pair.right);
    const int32_t both = pieces.id(bpe.pieces[best.pair.left] + bpe.pieces[best.pair.right]);
    bpe.merges.emplace_back(left, right);
    for (const SymbolPair& pair : counts.join(best.pair, static_cast<uint32_t>(both)))
      heap.push({counts.pairs().at(pair).count, pair});
  }
  return bpe;
}

}  // namespace minibert

#include "text/pair_encoder.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/utf8.h"

namespace minibert {
namespace {

constexpr char32_t kFirstSyllable = 0xac00;
constexpr char32_t kLastSyllable = 0xd7a3;
constexpr size_t kMostSymbols = 48;  // longer words go to the tokenizer

// A NormalizerSpec as a model holds it: field 1, the name, and then field 2, the character map.
bool has_nmt_nfkc(const Tokenizer& tokenizer) {
  return tokenizer.bytes().find("\x0a\x08nmt_nfkc\x12") != std::string::npos;
}

bool encodes_words_alone(const Tokenizer& tokenizer) {
  if (!tokenizer.is_bpe() || tokenizer.is_byte_bpe() || !has_nmt_nfkc(tokenizer)) return false;
  if (tokenizer.size() > 65536 || tokenizer.size() < kFirstOrdinaryPiece + 2) return false;
  // The first merge has score -0, the second -1; bytes and user-defined pieces would stand before.
  if (tokenizer.score(kFirstOrdinaryPiece + 1) != -1) return false;
  if (tokenizer.id(kSpacePiece) == kUnk) return false;
  for (int32_t id = kFirstOrdinaryPiece; id < tokenizer.size(); ++id)
    if (tokenizer.piece(id).find(kSpacePiece, 1) != std::string::npos) return false;
  // Is a space put in front, and are others removed?
  std::vector<int32_t> apart = tokenizer.encode("가");
  const std::vector<int32_t> second = tokenizer.encode("a");
  apart.insert(apart.end(), second.begin(), second.end());
  return tokenizer.encode("가 a") == apart && tokenizer.encode("  가  a ") == apart;
}

}  // namespace

PairEncoder::PairEncoder(Tokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {
  joins_pairs_ = encodes_words_alone(tokenizer_);
  if (joins_pairs_) make_tables();
}

void PairEncoder::make_tables() {
  std::unordered_map<std::string_view, int32_t> ids;
  for (int32_t id = kFirstOrdinaryPiece; id < tokenizer_.size(); ++id)
    ids.emplace(tokenizer_.piece(id), id);
  const auto id_of = [&](std::string_view piece) {
    const auto found = ids.find(piece);
    return found == ids.end() ? 0 : found->second;
  };

  space_ = tokenizer_.id(kSpacePiece);
  ascii_.assign(128, 0);
  // "[" may begin [SEP], [CLS] or [MASK].
  for (char c = '!'; c <= '~'; ++c)
    if (c != '[') ascii_[static_cast<size_t>(c)] = id_of(std::string_view(&c, 1));
  for (char32_t c = kFirstSyllable; c <= kLastSyllable; ++c)
    syllables_.push_back(id_of(to_utf8(std::u32string_view(&c, 1))));

  std::vector<RankedPair> pairs;
  for (int32_t id = kFirstOrdinaryPiece; id < tokenizer_.size(); ++id) {
    const std::string& piece = tokenizer_.piece(id);
    const std::vector<uint32_t> offsets = code_point_offsets(piece);
    for (size_t i = 1; i + 1 < offsets.size(); ++i) {
      const int32_t left = id_of(std::string_view(piece).substr(0, offsets[i]));
      const int32_t right = id_of(std::string_view(piece).substr(offsets[i]));
      // A character that is no piece itself is never looked up: its words go to the tokenizer.
      if (left != 0 && right != 0) pairs.push_back({left, right, id, id});
    }
  }
  pairs_ = PairTable(pairs);
}

// False, and nothing appended, when the word is not one for the tables.
bool PairEncoder::encode_word(std::string_view word, std::vector<int32_t>* ids) const {
  std::array<int32_t, kMostSymbols> symbols;
  size_t count = 0;
  symbols[count++] = space_;
  for (size_t i = 0; i < word.size(); ++count) {
    if (count == kMostSymbols) return false;
    const auto byte = [&](size_t k) { return static_cast<uint8_t>(word[i + k]); };
    int32_t id = 0;
    if (byte(0) < 0x80) {
      id = ascii_[byte(0)];
      i += 1;
    } else if (byte(0) >= 0xea && byte(0) <= 0xed && i + 2 < word.size()) {
      // The three bytes of U+A000 to U+DFFF, if the rest of them are as they should be.
      const char32_t c = (byte(0) & 0x0fu) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu);
      const bool valid = (byte(1) & 0xc0) == 0x80 && (byte(2) & 0xc0) == 0x80;
      if (valid && c >= kFirstSyllable && c <= kLastSyllable) id = syllables_[c - kFirstSyllable];
      i += 3;
    }
    if (id == 0) return false;
    symbols[count] = id;
  }

  count = pairs_.join(std::span(symbols).first(count));
  ids->insert(ids->end(), symbols.begin(), symbols.begin() + count);
  return true;
}

void PairEncoder::encode(std::string_view text, std::vector<int32_t>* ids) const {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = joins_pairs_ ? std::min(text.find(' ', begin), text.size()) : text.size();
    const std::string_view word = text.substr(begin, end - begin);
    if (!joins_pairs_ || (!word.empty() && !encode_word(word, ids))) {
      const std::vector<int32_t> pieces = tokenizer_.encode(word);
      ids->insert(ids->end(), pieces.begin(), pieces.end());
    }
    begin = end + 1;
  }
}

}  // namespace minibert

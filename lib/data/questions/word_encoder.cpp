// Plain words by the pair table, all others by SentencePiece.
#include "data/questions/word_encoder.h"

#include <algorithm>

#include "rules/context_words.h"

namespace minibert {
namespace {

constexpr std::string_view kSpace = "▁";

// Only visible ASCII and Hangul syllables, which normalization leaves as they are.
bool is_plain(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto byte = [&](size_t k) { return static_cast<uint8_t>(text[i + k]); };
    if (byte(0) > 0x20 && byte(0) < 0x7f) {
      ++i;
    } else if (byte(0) >= 0xea && byte(0) <= 0xed && i + 2 < text.size()) {
      const int c = (byte(0) & 0xf) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
      if (c < 0xac00 || c > 0xd7a3) return false;
      i += 3;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

WordEncoder::WordEncoder(const Tokenizer& tokenizer, const PairEncoder& pairs)
    : tokenizer_(tokenizer),
      pairs_(pairs),
      // Where no piece is a space alone, it is unknown.
      lone_space_(tokenizer.lone_space() >= 0 ? tokenizer.lone_space() : tokenizer.special().unk),
      unknown_(tokenizer.special().unk) {}

std::span<const WordPiece> WordEncoder::word(std::string_view text) {
  pieces_.clear();
  if (!encode_plain(text)) {
    pieces_.clear();
    encode_any(text);
  }
  return pieces_;
}

std::vector<int32_t> WordEncoder::text(std::string_view text) {
  std::vector<int32_t> ids;
  pairs_.encode(text, &ids);
  if (std::ranges::find(ids, unknown_) == ids.end()) return ids;
  ids.clear();
  for (const NamedPiece& piece : tokenizer_.encode_named(text)) ids.push_back(piece.id);
  return ids;
}

// The pieces of a plain word spell it byte for byte, after the ▁ in front. False when they do not.
bool WordEncoder::encode_plain(std::string_view word) {
  if (!pairs_.joins_pairs() || !is_plain(word)) return false;
  ids_.clear();
  pairs_.encode(word, &ids_);
  uint32_t at = 0;
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (ids_[i] == unknown_) return false;
    const auto size =
        static_cast<uint32_t>(tokenizer_.piece(ids_[i]).size() - (i == 0 ? kSpace.size() : 0));
    pieces_.push_back({ids_[i], ids_[i], at, at + size});
    at += size;
  }
  return at == word.size();
}

void WordEncoder::encode_any(std::string_view word) {
  for (const NamedPiece& piece : tokenizer_.encode_named(word))
    pieces_.push_back({piece.id, piece.id == unknown_ ? unknown_key(piece.text) : piece.id,
                       piece.begin, piece.end});
  share_characters(lone_space_, &pieces_);
}

int32_t WordEncoder::unknown_key(const std::string& text) {
  const auto next = tokenizer_.size() + static_cast<int32_t>(unknown_keys_.size());
  return unknown_keys_.try_emplace(text, next).first->second;
}

}  // namespace minibert

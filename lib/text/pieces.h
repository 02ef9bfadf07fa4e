// Pieces that a tokenizer returns, and the ids of pieces that are no text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace minibert {

// Ids in every tokenizer trained here, in the course's order (never to be changed). A WordPiece
// vocabulary has other ids: code for any tokenizer asks Tokenizer::special().
enum SpecialPiece : int32_t {
  kPad = 0,
  kUnk = 1,
  kBos = 2,
  kEos = 3,
  kSep = 4,
  kCls = 5,
  kMask = 6
};
inline constexpr int32_t kFirstOrdinaryPiece = 7;
// Their texts, by id.
inline constexpr std::array<std::string_view, kFirstOrdinaryPiece> kSpecialPieceNames = {
    "[PAD]", "[UNK]", "[BOS]", "[EOS]", "[SEP]", "[CLS]", "[MASK]"};

// ▁: SentencePiece's space, which begins a word.
inline constexpr std::string_view kSpacePiece = "\xe2\x96\x81";

struct SpecialPieces {
  int32_t pad = kPad;  // 0 in every vocabulary: padding of batches
  int32_t unk = kUnk, cls = kCls, sep = kSep, mask = kMask;
};

// A piece and its bytes [begin, end) of the input text, aligned by SentencePiece through its
// normalization. Empty for a lone "▁" that the dummy prefix made.
struct AlignedPiece {
  int32_t id;
  uint32_t begin;
  uint32_t end;
};

// A piece with its text as the vocabulary writes it; if unknown, the normalized characters.
struct NamedPiece {
  std::string text;
  int32_t id;  // id of `text`, or the unknown piece's
  uint32_t begin, end;
};

}  // namespace minibert

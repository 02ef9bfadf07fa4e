// What a SentencePiece model file holds beside what its processor tells: the parts that another program's
// form of the same tokenizer is made of (sentencepiece_model.proto of google/sentencepiece).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

struct SentencePieceFile {
  struct Piece {
    std::string text;
    float score = 0;
    int type = 1;  // kNormalPiece, … (persisted numbers)
  };
  std::vector<Piece> pieces;  // by id
  int model_type = 1;         // kUnigramModel, kBpeModel, or one that is not read here
  bool byte_fallback = false;
  bool space_behind = false;      // ▁ stands behind a word
  std::string normalization;      // its name, "nmt_nfkc"
  std::string charsmap;           // the normalizer's compiled table
  bool space_before_text = true;  // a space is put before the text
  bool collapse_spaces = true;    // those at the ends go, several become one
  bool spaces_are_pieces = true;  // a space is written as ▁
};

inline constexpr int kUnigramModel = 1, kBpeModel = 2;
inline constexpr int kNormalPiece = 1, kUnknownPiece = 2, kControlPiece = 3, kUserPiece = 4,
                     kUnusedPiece = 5, kBytePiece = 6;

// Throws Error naming `name`: bytes that are no such message.
SentencePieceFile read_sentencepiece_file(std::string_view bytes, const std::string& name);

}  // namespace minibert

// Reads the parts of a SentencePiece model file that its processor does not tell; exports of the
// tokenizer need them (sentencepiece_model.proto of google/sentencepiece).
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
  int model_type = 1;         // kUnigramModel, kBpeModel, or another type, which is not supported
  bool byte_fallback = false;
  bool space_behind = false;      // ▁ stands behind a word
  std::string normalization;      // the normalizer's name, "nmt_nfkc"
  std::string charsmap;           // the normalizer's compiled table
  bool space_before_text = true;  // a space is put before the text
  bool collapse_spaces = true;    // removes spaces at the ends and makes one of several
  bool spaces_are_pieces = true;  // a space is written as ▁
};

inline constexpr int kUnigramModel = 1, kBpeModel = 2;
inline constexpr int kNormalPiece = 1, kUnknownPiece = 2, kControlPiece = 3, kUserPiece = 4,
                     kUnusedPiece = 5, kBytePiece = 6;

// Throws Error naming `name` if the bytes are no such message.
SentencePieceFile read_sentencepiece_file(std::string_view bytes, const std::string& name);

}  // namespace minibert

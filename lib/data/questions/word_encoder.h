// Encodes words one by one, with the bytes of every piece.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/pair_encoder.h"
#include "text/tokenizer.h"

namespace minibert {

// A piece of a word; begin and end are bytes of the word. Two pieces have equal keys if their texts
// are equal, also pieces of unknown characters, which share one id.
struct WordPiece {
  int32_t id, key;
  uint32_t begin, end;
};

// Use one a thread. Both encoders belong to the same model and must outlive it.
class WordEncoder {
 public:
  WordEncoder(const Tokenizer& tokenizer, const PairEncoder& pairs);

  // Valid until the next call.
  std::span<const WordPiece> word(std::string_view text);

  // Returns the ids of a whole text; unknown characters have their text's key, as in WordPiece.
  std::vector<int32_t> text(std::string_view text);

 private:
  bool encode_plain(std::string_view word);
  void encode_any(std::string_view word);
  int32_t unknown_key(const std::string& text);

  const Tokenizer& tokenizer_;
  const PairEncoder& pairs_;
  const int32_t lone_space_, unknown_;
  std::vector<int32_t> ids_;
  std::vector<WordPiece> pieces_;
  std::unordered_map<std::string, int32_t> unknown_keys_;
};

}  // namespace minibert

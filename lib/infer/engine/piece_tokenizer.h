// SentencePiece for the engine: pieces with their bytes, from the model inside a `.mbq`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "infer/format/status.h"

namespace minibert::infer {

// Ids of the special pieces, equal in every minibert tokenizer (never to be changed).
inline constexpr int32_t kUnknownId = 1;
inline constexpr int32_t kSeparatorId = 4;
inline constexpr int32_t kClassifierId = 5;
inline constexpr int32_t kMaskId = 6;
inline constexpr int32_t kFirstOrdinaryId = 7;
inline constexpr std::string_view kMaskText = "[MASK]";
inline constexpr std::string_view kWordStart = "\u2581";  // ▁

struct Token {
  int32_t id = 0;
  std::string piece;   // surface, with ▁ for a leading space
  uint32_t begin = 0;  // bytes of the input text, [begin, end); both 0 for [CLS] and [SEP]
  uint32_t end = 0;
};

// Returns the end of the white space at `begin` that SentencePiece turns into a piece's ▁, at most
// `end`. Bytes of the text.
uint32_t skip_spaces(std::string_view text, uint32_t begin, uint32_t end);

// Thread-safe after load().
class PieceTokenizer {
 public:
  PieceTokenizer();
  ~PieceTokenizer();
  PieceTokenizer(PieceTokenizer&&) noexcept;
  PieceTokenizer& operator=(PieceTokenizer&&) noexcept;

  // Fails for bytes that are no SentencePiece model, special pieces with other ids than above, and
  // tables that point outside themselves.
  Status load(std::string_view serialized_model);

  Status encode(std::string_view text, std::vector<Token>* tokens) const;
  // Does the same, but a run of unknown characters, which is one piece, gets the id of its text if
  // that is a piece.
  Status encode_named(std::string_view text, std::vector<Token>* tokens) const;
  int32_t id(std::string_view piece) const;  // kUnknownId if there is none
  int32_t size() const;
  const std::string& piece(int32_t id) const;  // requires 0 <= id < size()
  bool is_text(int32_t id) const;              // no special piece, control or single byte

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace minibert::infer

// A text as a model's input, with the bytes of each piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/torch.h"
#include "text/tokenizer.h"

namespace minibert {

struct InputPiece {
  int32_t id = 0;
  std::string piece;   // Tokenizer::readable(); for an unknown run its own characters
  uint32_t begin = 0;  // bytes of its text, [begin, end); both 0 for [CLS] and [SEP]
  uint32_t end = 0;
};

struct TextInput {
  std::vector<InputPiece> pieces;
  torch::Tensor ids, segments;  // [1, S] int64
};

// Encodes [CLS] text [SEP]; a second text and its [SEP] follow in segment 1. Leaves out a lone
// space before a [MASK], because in training a mask covers its piece's ▁ (or Ġ), too. Throws a
// usage Error (the caller adds which text) for a text that is empty or not UTF-8, or for more
// pieces than max_positions, naming both counts.
TextInput text_input(const Tokenizer& tokenizer, std::string_view text,
                     std::string_view second = {}, int64_t max_positions = INT64_MAX);

}  // namespace minibert

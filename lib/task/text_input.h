// A text as a model reads it, with the bytes that each piece stands for.
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
  std::string piece;   // Tokenizer::readable(); of an unknown run its own characters
  uint32_t begin = 0;  // bytes of its text, [begin, end); both 0 of [CLS] and [SEP]
  uint32_t end = 0;
};

struct TextInput {
  std::vector<InputPiece> pieces;
  torch::Tensor ids, segments;  // [1, S] int64
};

// [CLS] text [SEP], and with a second text that and [SEP] in segment 1. A lone space before a [MASK]
// is left out: in training a mask covers its piece's ▁ (or Ġ) too. Throws a usage Error, whose caller adds which
// text: one that is empty or not UTF-8, more pieces than max_positions (both counts named).
TextInput text_input(const Tokenizer& tokenizer, std::string_view text,
                     std::string_view second = {}, int64_t max_positions = INT64_MAX);

}  // namespace minibert

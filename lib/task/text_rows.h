// Texts and pairs of texts as model input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"
#include "train/trainer.h"

namespace minibert {

// One input a row: [CLS] text [SEP], or [CLS] text [SEP] pair [SEP] with segment 1 from the pair on.
struct TextRows {
  std::vector<std::vector<int32_t>> ids;
  std::vector<std::vector<uint8_t>> segments;

  size_t size() const { return ids.size(); }
};

// Appends one row of at most max_length pieces: while it is too long the longer of the two texts loses
// its last piece (Devlin et al. 2019). An empty `pair` means that there is one text.
void append_row(const Tokenizer& tokenizer, const std::string& text, const std::string& pair,
                int max_length, TextRows* rows);

// The rows `indices` as one padded batch, on the CPU.
Batch batch_of(const TextRows& rows, const std::vector<uint32_t>& indices);

}  // namespace minibert

// Texts and pairs of texts as model input.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "text/tokenizer.h"
#include "train/trainer.h"

namespace minibert {

// One input a row: [CLS] text [SEP], or [CLS] text [SEP] pair [SEP] with segment 1 from the pair on.
struct TextRows {
  std::vector<std::vector<int32_t>> ids;
  std::vector<std::vector<uint8_t>> segments;

  uint64_t cut = 0;  // rows that lost pieces

  size_t size() const { return ids.size(); }
};

// Appends one row of at most max_length pieces: while it is too long, the longer text loses its
// last piece (Devlin et al. 2019). An empty `pair`: there is one text.
void append_row(const Tokenizer& tokenizer, const std::string& text, const std::string& pair,
                int max_length, TextRows* rows);

// Reports how many rows are cut off at max_length, if any.
void report_cut_rows(const TextRows& rows, int max_length, const std::string& split,
                     const std::function<void(const std::string&)>& say);

// Returns the rows `indices` as one padded batch, on the CPU.
Batch batch_of(const TextRows& rows, const std::vector<uint32_t>& indices);

}  // namespace minibert

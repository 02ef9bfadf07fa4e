// Lists the merges of a BPE tokenizer in the order of training.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace minibert {

struct Merge {
  size_t rank;  // from 1
  std::string left, right, piece;
};

// Returns the first `count` merges, or fewer if the vocabulary has fewer; pieces of byte-level BPE
// are in readable form. A SentencePiece model keeps joined pieces in order but not their halves;
// joining the piece's characters by all earlier merges gives the halves (Sennrich, Haddow, Birch
// 2016). Throws Error if the tokenizer is not BPE.
std::vector<Merge> first_merges(const Tokenizer& tokenizer, size_t count);

}  // namespace minibert

// The merges of a BPE tokenizer, in the order in which training made them.
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

// The first `count` merges (fewer when the vocabulary has fewer), byte-level BPE's as a reader sees
// their pieces. A SentencePiece model keeps the joined pieces in order but not their halves; those
// follow from joining the piece's characters by all earlier merges (Sennrich, Haddow, Birch 2016).
// Throws Error for a tokenizer that is no BPE.
std::vector<Merge> first_merges(const Tokenizer& tokenizer, size_t count);

}  // namespace minibert

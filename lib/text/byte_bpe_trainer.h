// Learns the merges of a byte-level BPE (GPT-2: Radford et al. 2019; text/byte_words.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/byte_bpe_file.h"

namespace minibert {

// Trains on the non-blank lines of text files. Each line gets a leading space; special pieces
// written in it are left out. Joins the most frequent pair of neighbouring pieces until there are
// `vocab_size` pieces (at least kSmallestByteBpe) or every word is one piece. On a tie, the pair
// with the lower left id, then with the lower right id, is joined first, as in Hugging Face's
// trainer: the result depends only on the text. Memory grows with the number of different words.
// Throws Error for an empty text or a line that is not UTF-8.
ByteBpe train_byte_bpe(const std::vector<std::string>& text_files, int32_t vocab_size);

}  // namespace minibert

// Learning the merges of a byte-level BPE (GPT-2: Radford et al. 2019; text/byte_words.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/byte_bpe_file.h"

namespace minibert {

// From the lines of text files that are not blank, each with a space before it, and without the special
// pieces that are written in them: the pair of neighbouring pieces that is most frequent in all words
// is joined, again and again, until there are `vocab_size` pieces (kSmallestByteBpe at least) or every
// word is one piece. Of pairs that are as frequent the one with the lower left id is first, then that
// with the lower right id, as in Hugging Face's trainer; so the result depends on nothing but the text.
// Memory grows with the number of different words.
// Error: no text, a line that is not UTF-8.
ByteBpe train_byte_bpe(const std::vector<std::string>& text_files, int32_t vocab_size);

}  // namespace minibert

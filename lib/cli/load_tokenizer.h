// Where the commands take a tokenizer from.
#pragma once

#include <string>

#include "text/tokenizer.h"

namespace minibert {

// A SentencePiece model, a WordPiece vocabulary (vocab.txt) or a byte-level BPE (tokenizer.json),
// packed or not, or the one in a run record (.h5). Throws Error naming the path.
Tokenizer load_tokenizer(const std::string& path);

}  // namespace minibert

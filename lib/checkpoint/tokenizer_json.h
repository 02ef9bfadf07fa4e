// Our tokenizers as Hugging Face's tokenizers library computes them: the text of a tokenizer.json.
#pragma once

#include <string>

#include "text/tokenizer.h"

namespace minibert {

// The same with [CLS] before a text and [SEP] behind it and a second one.
std::string with_special_pieces(const std::string& json, const Tokenizer& tokenizer);

// A byte-level BPE: a space goes before a text, but behind no special piece, and the one before [MASK] goes.
std::string byte_bpe_tokenizer_json(const Tokenizer& tokenizer);

// A SentencePiece model, BPE or unigram, with its normalization. Throws Error naming `name` where the
// library has no such model: words or characters, ▁ behind words, no space before a text.
std::string sentencepiece_tokenizer_json(const Tokenizer& tokenizer, const std::string& name);

}  // namespace minibert

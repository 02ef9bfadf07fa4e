// Writes our tokenizers as tokenizer.json, for Hugging Face's tokenizers library.
#pragma once

#include <string>

#include "text/tokenizer.h"

namespace minibert {

// Adds [CLS] before a text, and [SEP] behind it and behind a second one.
std::string with_special_pieces(const std::string& json, const Tokenizer& tokenizer);

// A byte-level BPE: a space precedes a text but follows no special piece; one before [MASK] goes.
std::string byte_bpe_tokenizer_json(const Tokenizer& tokenizer);

// A SentencePiece model, BPE or unigram, with its normalization. Throws Error naming `name` if the
// library lacks such a model: words or characters, ▁ behind words, no space before a text.
std::string sentencepiece_tokenizer_json(const Tokenizer& tokenizer, const std::string& name);

}  // namespace minibert

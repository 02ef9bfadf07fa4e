// The tokenizer of a folder in Hugging Face's form, there and back: vocab.txt, spiece.model and
// tokenizer.json, with what tokenizer_config.json says of them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "text/tokenizer.h"

namespace minibert {

struct FolderTokenizer {
  std::string bytes;               // as a record keeps them
  std::vector<int64_t> rows;       // of each piece the row of the checkpoint's tables
  std::string file;                // that has the vocabulary
  std::vector<std::string> files;  // that all this was read from
  // WordPiece: whether text is lower-cased and loses its accents, and which file says so.
  std::string treatment;
};

// Throws Error naming file and key or line: no vocabulary, one that Tokenizer does not read, pieces that were added to it
// and are not special.
FolderTokenizer read_huggingface_tokenizer(const std::string& folder);

// Names and bytes of the files that transformers and this program read the tokenizer from. `longest`:
// pieces that the model reads; `name` is for messages. Throws Error: a SentencePiece model that
// Hugging Face's tokenizers cannot compute.
std::vector<std::pair<std::string, std::string>> huggingface_tokenizer_files(
    const Tokenizer& tokenizer, int64_t longest, const std::string& name);

}  // namespace minibert

// Reads and writes the tokenizer of a folder in Hugging Face's form: vocab.txt, spiece.model and
// tokenizer.json, with tokenizer_config.json's settings.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "text/tokenizer.h"

namespace minibert {

struct FolderTokenizer {
  std::string bytes;               // as in a record
  std::vector<int64_t> rows;       // by piece: its row in the checkpoint's tables
  std::string file;                // with the vocabulary
  std::vector<std::string> files;  // all files that were read
  // WordPiece: whether text is lower-cased and loses its accents, and the file that decides.
  std::string treatment;
};

// Throws Error naming file and key or line for no vocabulary, one that Tokenizer does not read, and
// added pieces that are not special.
FolderTokenizer read_huggingface_tokenizer(const std::string& folder);

// Returns names and bytes of the tokenizer's files for transformers and this program. `longest`:
// pieces that the model reads; `name` is for messages. Throws Error for a SentencePiece model that
// Hugging Face's tokenizers cannot compute.
std::vector<std::pair<std::string, std::string>> huggingface_tokenizer_files(
    const Tokenizer& tokenizer, int64_t longest, const std::string& name);

}  // namespace minibert

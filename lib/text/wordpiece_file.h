// Reads and writes WordPiece tokenizers: BERT's vocab.txt, whose pieces tell the casing, and
// Hugging Face's tokenizer.json, which says how text is treated.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/bert_words.h"

namespace minibert {

// The special pieces of BERT's vocabularies.
inline constexpr std::array<std::string_view, 5> kBertSpecials = {"[PAD]", "[UNK]", "[CLS]",
                                                                  "[SEP]", "[MASK]"};
inline bool is_bert_special(std::string_view piece) {
  return std::ranges::find(kBertSpecials, piece) != kBertSpecials.end();
}

struct WordPieceFile {
  std::vector<std::string> pieces;  // by id
  BertTreatment treatment;
};

// Reads a vocab.txt with one piece a line. Throws Error naming `name` and the line for an empty or
// repeated piece or bytes that are not UTF-8.
std::vector<std::string> read_wordpiece_lines(std::string_view vocabulary, const std::string& name);

// A vocab.txt as transformers reads it: a piece's id is the last line that has it; the id of a
// blank line has no text.
struct WordPieceRows {
  std::vector<std::string> pieces;
  std::vector<int64_t> ids;  // by piece: its line, from 0
};
// Throws Error naming `name` and the line if bytes are not UTF-8.
WordPieceRows read_wordpiece_rows(std::string_view vocabulary, const std::string& name);

// Returns the treatment of text for a stored vocab.txt: lower-cased and without accents if no piece
// other than [PAD], [UNK], [CLS], [SEP] and [MASK] has a capital letter. Never to be changed:
// records hold such tokenizers.
BertTreatment stored_treatment(const std::vector<std::string>& pieces);
// Returns the likely treatment for an imported vocab.txt: like stored_treatment(), but accents stay
// if a piece has a Hangul syllable, because stripping accents turns syllables into jamo.
BertTreatment likely_treatment(const std::vector<std::string>& pieces);

// Reads a tokenizer.json with a WordPiece model. Throws Error naming `name` and the key for another
// kind of tokenizer, a setting that WordPieceFile lacks, an added piece that is not special, or ids
// other than 0, 1, ….
WordPieceFile read_wordpiece_json(std::string_view json, const std::string& name);

// Writes a file that read_wordpiece_json() and Hugging Face's library read.
std::string to_wordpiece_json(const WordPieceFile& file);

// Recognizes the tokenizer.json of a WordPiece model without reading all of it.
bool is_wordpiece_json(std::string_view bytes);

}  // namespace minibert

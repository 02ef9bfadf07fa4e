// A WordPiece tokenizer as a file: BERT's vocab.txt, whose casing is told from its pieces, or Hugging
// Face's tokenizer.json, which says how text is treated.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/bert_words.h"

namespace minibert {

// The pieces of BERT's vocabularies that are no text.
inline constexpr std::array<std::string_view, 5> kBertSpecials = {"[PAD]", "[UNK]", "[CLS]",
                                                                  "[SEP]", "[MASK]"};
inline bool is_bert_special(std::string_view piece) {
  return std::ranges::find(kBertSpecials, piece) != kBertSpecials.end();
}

struct WordPieceFile {
  std::vector<std::string> pieces;  // by id
  BertTreatment treatment;
  std::vector<std::string> added;  // pieces that stand for themselves where they are written
};

// The pieces of a vocab.txt, one a line. Throws Error naming `name` and the line: an empty or repeated
// piece, bytes that are no UTF-8.
std::vector<std::string> read_wordpiece_lines(std::string_view vocabulary, const std::string& name);

// The pieces of a vocab.txt as transformers reads it: the id of a piece is the last line that has it, and a blank
// line is the id of no text.
struct WordPieceRows {
  std::vector<std::string> pieces;
  std::vector<int64_t> ids;  // of each piece its line, from 0
  int64_t lines = 0;
};
// Throws Error naming `name` and the line: bytes that are no UTF-8.
WordPieceRows read_wordpiece_rows(std::string_view vocabulary, const std::string& name);

// How text is treated for a vocab.txt that is kept alone: lower-cased and without accents where no piece other
// than [PAD], [UNK], [CLS], [SEP] and [MASK] has a capital letter. Never to be changed: records have such a
// tokenizer.
BertTreatment stored_treatment(const std::vector<std::string>& pieces);
// What a vocab.txt that comes in was likely made for: the same, but with accents where a piece has a Hangul
// syllable, as text that loses its accents falls to jamo, of which no syllable is made.
BertTreatment likely_treatment(const std::vector<std::string>& pieces);

// A tokenizer.json with a WordPiece model. Throws Error naming `name` and the key: another kind of
// tokenizer or a setting that WordPieceFile does not have, ids that are not 0, 1, …
WordPieceFile read_wordpiece_json(std::string_view json, const std::string& name);

// The file that read_wordpiece_json() reads and Hugging Face's library, too.
std::string to_wordpiece_json(const WordPieceFile& file);

// Tells a tokenizer.json of WordPiece from one of another model, without reading all of it.
bool is_wordpiece_json(std::string_view bytes);

}  // namespace minibert

// What stands behind Tokenizer: one kind of model.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/pieces.h"

namespace minibert {

// Thread-safe after construction. Ids that are given are 0 … size() - 1.
class PieceModel {
 public:
  virtual ~PieceModel() = default;
  virtual std::vector<int32_t> encode(std::string_view text) const = 0;
  virtual std::vector<AlignedPiece> encode_aligned(std::string_view text) const = 0;
  virtual std::vector<NamedPiece> encode_named(std::string_view text) const = 0;
  virtual std::string decode(const std::vector<int32_t>& ids) const = 0;
  virtual int32_t size() const = 0;
  virtual const std::string& piece(int32_t id) const = 0;
  virtual int32_t id(std::string_view piece) const = 0;  // the unknown piece's when there is none
  virtual float score(int32_t id) const = 0;
  virtual bool starts_word(int32_t id) const = 0;
  virtual bool is_special(int32_t id) const = 0;
  virtual const SpecialPieces& special() const = 0;
};

// A SentencePiece model with the special pieces of text/pieces.h. Throws Error naming `name`.
std::unique_ptr<const PieceModel> load_sentencepiece(const std::string& bytes,
                                                     const std::string& name);

// BERT's WordPiece (Devlin et al. 2019) from the text of a vocab.txt, one piece a line, "##" before
// pieces that continue a word: words of BERT's basic tokenizer (text/bert_words.h), each cut from
// left to right into the longest pieces there are; a word that cannot be cut so, or of more than 100
// characters, is [UNK]. [PAD], [UNK], [CLS], [SEP] and [MASK] written in a text are those pieces.
// Text is lower-cased and loses its accents where no piece has a capital letter (bert-base-uncased).
// Throws Error naming `name` and the line: an empty or repeated piece, bytes that are no UTF-8, a
// special piece that is missing, [PAD] on another than the first line.
std::unique_ptr<const PieceModel> load_wordpiece(std::string_view vocabulary,
                                                 const std::string& name);

// What tells a vocab.txt from a SentencePiece model: it begins with the line "[PAD]".
bool is_wordpiece_vocabulary(std::string_view bytes);

}  // namespace minibert

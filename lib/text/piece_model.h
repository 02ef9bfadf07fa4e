// What stands behind Tokenizer: one kind of model.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/byte_bpe_file.h"
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
  // As text/tokenizer.h says; the defaults are those of a vocabulary written in plain text.
  virtual const std::string& readable(int32_t id) const { return piece(id); }
  virtual bool is_text(int32_t id) const { return !is_special(id); }
  virtual int32_t lone_space() const { return -1; }
  virtual const std::vector<PieceMerge>& merges() const {
    static const std::vector<PieceMerge> none;
    return none;
  }
};

// A SentencePiece model with the special pieces of text/pieces.h. Throws Error naming `name`.
std::unique_ptr<const PieceModel> load_sentencepiece(const std::string& bytes,
                                                     const std::string& name);

// BERT's WordPiece (Devlin et al. 2019) from the text of a vocab.txt, one piece a line, "##" before
// pieces that continue a word, or from a tokenizer.json of it (text/wordpiece_file.h): words of BERT's
// basic tokenizer (text/bert_words.h), each cut from left to right into the longest pieces there are; a
// word that cannot be cut so, or of more than 100 characters, is [UNK]. [PAD], [UNK], [CLS], [SEP] and
// [MASK] written in a text are those pieces, and so are the added pieces of a tokenizer.json. Of a
// vocab.txt, text is lower-cased and loses its accents where no piece has a capital letter
// (bert-base-uncased); a tokenizer.json says it.
// Throws Error naming `name` and the line or key: an empty or repeated piece, bytes that are no UTF-8, a
// special piece that is missing, [PAD] on another than the first line.
std::unique_ptr<const PieceModel> load_wordpiece(std::string_view bytes, const std::string& name);

// What tells a vocab.txt from a SentencePiece model: it begins with the line "[PAD]".
bool is_wordpiece_vocabulary(std::string_view bytes);

// Byte-level BPE (GPT-2: Radford et al. 2019; RoBERTa: Liu et al. 2019) from a tokenizer.json
// (text/byte_bpe_file.h): words of text/byte_words.h, whose bytes are joined by the merges in their
// order. Special pieces written in a text are those pieces. Where the file says so, a space is put before a
// text that does not begin with one (Hugging Face's library does so after a special piece, too), and
// decoding takes one away; else decoding gives every text back. Bytes that are no UTF-8 decode to U+FFFD. A piece is
// aligned with its bytes without the spaces in front, of spaces alone with nothing; one that begins or
// ends inside a character with all of it.
// Throws Error as read_tokenizer_json().
std::unique_ptr<const PieceModel> load_byte_bpe(std::string_view json, const std::string& name);

}  // namespace minibert

// The interface behind Tokenizer: one kind of model.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/byte_bpe_file.h"
#include "text/pieces.h"

namespace minibert {

// Thread-safe after construction. Callers pass only ids in 0 … size() - 1.
class PieceModel {
 public:
  virtual ~PieceModel() = default;
  virtual std::vector<int32_t> encode(std::string_view text) const = 0;
  virtual std::vector<AlignedPiece> encode_aligned(std::string_view text) const = 0;
  virtual std::vector<NamedPiece> encode_named(std::string_view text) const = 0;
  virtual std::string decode(const std::vector<int32_t>& ids) const = 0;
  virtual int32_t size() const = 0;
  virtual const std::string& piece(int32_t id) const = 0;
  virtual int32_t id(std::string_view piece) const = 0;  // the unknown piece's if there is none
  virtual float score(int32_t id) const = 0;
  virtual bool starts_word(int32_t id) const = 0;
  virtual bool is_special(int32_t id) const = 0;
  virtual const SpecialPieces& special() const = 0;
  // See text/tokenizer.h; the defaults suit a vocabulary written in plain text.
  virtual const std::string& readable(int32_t id) const { return piece(id); }
  virtual bool is_text(int32_t id) const { return !is_special(id); }
  virtual int32_t lone_space() const { return -1; }
  virtual const std::vector<PieceMerge>& merges() const {
    static const std::vector<PieceMerge> none;
    return none;
  }
};

// Loads a SentencePiece model with the special pieces of text/pieces.h. Throws Error naming `name`.
std::unique_ptr<const PieceModel> load_sentencepiece(const std::string& bytes,
                                                     const std::string& name);

// Loads BERT's WordPiece (Devlin et al. 2019) from a vocab.txt (one piece a line; "##" marks a
// piece that continues a word) or from its tokenizer.json (text/wordpiece_file.h). It cuts each
// word of BERT's basic tokenizer (text/bert_words.h) from left to right into the longest pieces; a
// word that cannot be cut so, or that has more than 100 characters, is [UNK]. [PAD], [UNK], [CLS],
// [SEP] and [MASK] written in a text are these pieces. A tokenizer.json says how text is treated.
// With a vocab.txt, text is lower-cased and loses its accents if no piece has a capital letter
// (bert-base-uncased). Throws Error naming `name` and the line or key for: an empty or repeated
// piece, bytes that are not UTF-8, a missing special piece, [PAD] on another than the first line.
std::unique_ptr<const PieceModel> load_wordpiece(std::string_view bytes, const std::string& name);

// Returns true for a vocab.txt, which begins with the line "[PAD]"; a SentencePiece model does not.
bool is_wordpiece_vocabulary(std::string_view bytes);

// Loads byte-level BPE (GPT-2: Radford et al. 2019; RoBERTa: Liu et al. 2019) from a tokenizer.json
// (text/byte_bpe_file.h). It joins the bytes of each word (text/byte_words.h) by the merges in
// order. Special pieces written in a text are these pieces. If the file says so, encoding puts a
// space before a text that begins without one (Hugging Face's library does so after a special
// piece, too) and decoding removes one space; otherwise decoding returns every text unchanged.
// Bytes that are not UTF-8 decode to U+FFFD. A piece is aligned with its bytes without leading
// spaces, a piece of spaces with nothing, and a piece that begins or ends inside a character with
// the whole character. Throws Error like read_tokenizer_json().
std::unique_ptr<const PieceModel> load_byte_bpe(std::string_view json, const std::string& name);

}  // namespace minibert

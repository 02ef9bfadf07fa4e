// SentencePiece, WordPiece and byte-level BPE behind one class: encoding with byte alignment,
// decoding, training.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/pieces.h"

namespace minibert {

// Thread-safe after construction.
class Tokenizer {
 public:
  // Bytes of a SentencePiece model, of a WordPiece vocabulary (BERT's vocab.txt, whose first line is
  // [PAD], or tokenizer.json) or of a byte-level BPE (tokenizer.json). Throws Error when they are none of these, and as
  // text/piece_model.h says; `name` is for messages.
  static Tokenizer from_bytes(std::string bytes, const std::string& name = "tokenizer model");
  static Tokenizer from_file(const std::string& path);

  // Throws Error where the text cannot be encoded (WordPiece, byte-level BPE: no UTF-8).
  std::vector<int32_t> encode(std::string_view text) const;
  std::vector<AlignedPiece> encode_aligned(std::string_view text) const;
  std::vector<NamedPiece> encode_named(std::string_view text) const;
  // Ids that are not pieces are an Error. WordPiece: words joined by spaces.
  std::string decode(const std::vector<int32_t>& ids) const;
  // The piece as the vocabulary writes it: with ▁ (U+2581) for a leading space, with ## where it
  // continues a word, or in the letters of text/byte_words.h. Error: no such id.
  const std::string& piece(int32_t id) const;
  // The piece for a reader's eyes: the letters of text/byte_words.h as the text they stand for, spaces
  // as ▁, if that is_text(); else piece().
  const std::string& readable(int32_t id) const;
  // Stands for whole characters: no special piece and no part of a character. Of byte-level BPE also
  // no control character.
  bool is_text(int32_t id) const;
  int32_t lone_space() const;                // the piece that is a space alone, or -1
  int32_t id(std::string_view piece) const;  // special().unk when there is none
  // Log probability (unigram) or -(merge rank), from 0 (BPE); 0 of WordPiece.
  float score(int32_t id) const;
  bool is_wordpiece() const;
  bool is_byte_bpe() const;
  // Byte-pair encoding, of SentencePiece told from the scores: -1, -2, … in order of the merges.
  bool is_bpe() const;
  // Pairs of ids in the order in which byte-level BPE joins them; empty of the others.
  const std::vector<std::pair<int32_t, int32_t>>& merges() const;
  int32_t size() const;
  const SpecialPieces& special() const;
  bool is_special(int32_t id) const;   // one of special(), or [BOS] or [EOS], which WordPiece lacks
  bool starts_word(int32_t id) const;  // an ordinary piece with ▁ or Ġ, or without ##
  const std::string& bytes() const;    // the serialized model
  const std::string& sha256() const;   // of bytes()

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

struct TokenizerSettings {
  std::string type = "bpe";            // bpe | unigram | byte_bpe
  int32_t vocab_size = 8007;           // with the 7 special pieces
  double character_coverage = 0.9995;  // not of byte_bpe, which knows every byte
  bool byte_fallback = false;          // nor this
};

// What every vocabulary of byte_bpe has: the special pieces and the bytes.
inline constexpr int32_t kSmallestByteBpe = kFirstOrdinaryPiece + 256;

// Trains on plain text lines, SentencePiece with the course's settings (nmt_nfkc, max_sentence_length
// 999999), byte_bpe as train_byte_bpe() (text/byte_bpe_trainer.h), and returns the model's bytes. With
// `shrink_to_fit` a text too small for vocab_size gets as many pieces as it allows instead of an error.
// Error: no text, unknown type, a setting that the type does not have, text too small for vocab_size, a
// line that is not UTF-8.
std::string train_tokenizer(const std::vector<std::string>& text_files,
                            const TokenizerSettings& settings, bool shrink_to_fit = false);

// The same, but a model that was trained before from the same text (by hash) with the same settings
// is read from `cache_dir`; a new one is kept there. `from_cache`, when given, says which it was.
std::string train_tokenizer_cached(const std::vector<std::string>& text_files,
                                   const TokenizerSettings& settings, bool shrink_to_fit = false,
                                   const std::string& cache_dir = "build/cache/tokenizers",
                                   bool* from_cache = nullptr);

}  // namespace minibert

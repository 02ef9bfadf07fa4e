// SentencePiece and WordPiece behind one class: encoding with byte alignment, decoding, training.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/pieces.h"

namespace minibert {

// Thread-safe after construction.
class Tokenizer {
 public:
  // Bytes of a SentencePiece model or of a WordPiece vocabulary (BERT's vocab.txt, whose first line is
  // [PAD]). Throws Error when they are neither, and as text/piece_model.h says; `name` is for messages.
  static Tokenizer from_bytes(std::string bytes, const std::string& name = "tokenizer model");
  static Tokenizer from_file(const std::string& path);

  // Throws Error where the text cannot be encoded (WordPiece: no UTF-8).
  std::vector<int32_t> encode(std::string_view text) const;
  std::vector<AlignedPiece> encode_aligned(std::string_view text) const;
  std::vector<NamedPiece> encode_named(std::string_view text) const;
  // Ids that are not pieces are an Error. WordPiece: words joined by spaces.
  std::string decode(const std::vector<int32_t>& ids) const;
  // The piece as the vocabulary writes it: with ▁ (U+2581) for a leading space, or with ## where it
  // continues a word. Error: no such id.
  const std::string& piece(int32_t id) const;
  int32_t id(std::string_view piece) const;  // special().unk when there is none
  // Log probability (unigram) or -(merge rank) (bpe); 0 of WordPiece.
  float score(int32_t id) const;
  bool is_wordpiece() const;
  // Byte-pair encoding, told from the scores, which are then -1, -2, … in order of the merges.
  bool is_bpe() const;
  int32_t size() const;
  const SpecialPieces& special() const;
  bool is_special(int32_t id) const;   // one of special(), or SentencePiece's [BOS] and [EOS]
  bool starts_word(int32_t id) const;  // an ordinary piece with ▁, or without ##
  const std::string& bytes() const;    // the serialized model
  const std::string& sha256() const;   // of bytes()

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

struct TokenizerSettings {
  std::string type = "bpe";   // bpe | unigram
  int32_t vocab_size = 8007;  // with the 7 special pieces
  double character_coverage = 0.9995;
  bool byte_fallback = false;
};

// Trains on plain text lines with the course's settings (nmt_nfkc, max_sentence_length 999999) and
// returns the model's bytes. With `shrink_to_fit` a text too small for vocab_size gets as many
// pieces as it allows instead of an error.
// Error: no text, unknown type, text too small for vocab_size, a line that is not UTF-8.
std::string train_tokenizer(const std::vector<std::string>& text_files,
                            const TokenizerSettings& settings, bool shrink_to_fit = false);

// The same, but a model that was trained before from the same text (by hash) with the same settings
// is read from `cache_dir`; a new one is kept there. `from_cache`, when given, says which it was.
std::string train_tokenizer_cached(const std::vector<std::string>& text_files,
                                   const TokenizerSettings& settings, bool shrink_to_fit = false,
                                   const std::string& cache_dir = "build/cache/tokenizers",
                                   bool* from_cache = nullptr);

}  // namespace minibert

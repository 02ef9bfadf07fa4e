// One class for SentencePiece, WordPiece and byte-level BPE: encoding with byte alignment,
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
  // Loads a SentencePiece model, a WordPiece vocabulary (BERT's vocab.txt, whose first line is
  // [PAD], or tokenizer.json) or a byte-level BPE (tokenizer.json). Throws Error for other bytes,
  // and for the faults that text/piece_model.h lists; `name` is for messages.
  static Tokenizer from_bytes(std::string bytes, const std::string& name = "tokenizer model");
  static Tokenizer from_file(const std::string& path);

  // Throw Error if the text cannot be encoded (WordPiece, byte-level BPE: it is not UTF-8).
  std::vector<int32_t> encode(std::string_view text) const;
  std::vector<AlignedPiece> encode_aligned(std::string_view text) const;
  std::vector<NamedPiece> encode_named(std::string_view text) const;
  // Throws Error for an id that is no piece. WordPiece joins words by spaces.
  std::string decode(const std::vector<int32_t>& ids) const;
  // Returns a piece as the vocabulary writes it: with ▁ (U+2581) for a leading space, with ## if it
  // continues a word, or in the letters of text/byte_words.h. Throws Error for an unknown id.
  const std::string& piece(int32_t id) const;
  // Returns a piece for readers: if is_text(), byte letters become the text that they stand for,
  // and spaces become ▁; otherwise piece().
  const std::string& readable(int32_t id) const;
  // True if the piece stands for whole characters: it is no special piece and no part of a
  // character. In byte-level BPE control characters are no text, either.
  bool is_text(int32_t id) const;
  int32_t lone_space() const;                // the piece that is one space, or -1
  int32_t id(std::string_view piece) const;  // special().unk if there is none
  // Log probability (unigram), -(merge rank) from 0 (BPE), or 0 (WordPiece).
  float score(int32_t id) const;
  bool is_wordpiece() const;
  bool is_byte_bpe() const;
  // True for byte-pair encoding; SentencePiece's has scores -1, -2, … in merge order.
  bool is_bpe() const;
  // Pairs of ids in the order in which byte-level BPE joins them; empty for other models.
  const std::vector<std::pair<int32_t, int32_t>>& merges() const;
  int32_t size() const;
  const SpecialPieces& special() const;
  bool is_special(int32_t id) const;   // one of special(), [BOS] or [EOS]
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
  double character_coverage = 0.9995;  // unused by byte_bpe, which knows every byte
  bool byte_fallback = false;          // unused by byte_bpe
};

// The special pieces and the 256 bytes, which every byte_bpe vocabulary has.
inline constexpr int32_t kSmallestByteBpe = kFirstOrdinaryPiece + 256;

// Trains on plain text lines and returns the model's bytes. SentencePiece uses the course's
// settings (nmt_nfkc, max_sentence_length 999999); byte_bpe uses train_byte_bpe()
// (text/byte_bpe_trainer.h). With `shrink_to_fit` a text too small for vocab_size gives as many
// pieces as it allows; otherwise it is an error. Throws Error for an empty text, an unknown type, a
// setting that the type does not have, or a line that is not UTF-8.
std::string train_tokenizer(const std::vector<std::string>& text_files,
                            const TokenizerSettings& settings, bool shrink_to_fit = false);

// Does the same, but reads from `cache_dir` a model trained earlier from the same text (by hash)
// with the same settings, and keeps a new one there. `from_cache`, if given, tells which.
std::string train_tokenizer_cached(const std::vector<std::string>& text_files,
                                   const TokenizerSettings& settings, bool shrink_to_fit = false,
                                   const std::string& cache_dir = "build/cache/tokenizers",
                                   bool* from_cache = nullptr);

}  // namespace minibert

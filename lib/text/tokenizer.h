// SentencePiece behind one class: encoding with byte alignment, decoding, training.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// Ids every minibert tokenizer has, in this order (the course's order; never to be changed).
enum SpecialPiece : int32_t {
  kPad = 0,
  kUnk = 1,
  kBos = 2,
  kEos = 3,
  kSep = 4,
  kCls = 5,
  kMask = 6
};
inline constexpr int32_t kFirstOrdinaryPiece = 7;

// A piece and the bytes of the given text it came from, [begin, end); SentencePiece's own alignment
// through its normalization. Empty for a lone "▁" that the dummy prefix made.
struct AlignedPiece {
  int32_t id;
  uint32_t begin;
  uint32_t end;
};

// A piece with its text as SentencePiece writes it: of an unknown run, the normalized characters.
struct NamedPiece {
  std::string text;
  int32_t id;  // of `text`; kUnk, too, where the piece is not in the vocabulary
  uint32_t begin, end;
};

// Thread-safe after construction.
class Tokenizer {
 public:
  // Bytes of a SentencePiece model. Throws Error when they are none, or when the special pieces do
  // not have the ids above; `name` is for messages.
  static Tokenizer from_bytes(std::string bytes, const std::string& name = "tokenizer model");
  static Tokenizer from_file(const std::string& path);

  std::vector<int32_t> encode(std::string_view text) const;
  std::vector<AlignedPiece> encode_aligned(std::string_view text) const;
  std::vector<NamedPiece> encode_named(std::string_view text) const;
  // Ids that are not pieces are an Error.
  std::string decode(const std::vector<int32_t>& ids) const;
  // The piece with ▁ (U+2581) for a leading space. Error: no such id.
  const std::string& piece(int32_t id) const;
  int32_t id(std::string_view piece) const;  // kUnk when there is none
  float score(int32_t id) const;             // log probability (unigram) or -(merge rank) (bpe)
  // Byte-pair encoding, told from the scores, which are then -1, -2, … in order of the merges.
  bool is_bpe() const;
  int32_t size() const;
  bool starts_word(int32_t id) const;  // the piece begins with ▁
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

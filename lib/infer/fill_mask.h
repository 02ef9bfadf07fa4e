// Guesses the piece at each [MASK] of a text, with tokenizer and engine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "infer/engine/text_model.h"
#include "infer/format/status.h"
#include "infer/timing.h"

namespace minibert::infer {

struct Guess {
  int32_t id = 0;
  std::string piece;  // surface, with ▁ for a leading space
  std::string text;   // replaces [MASK]: the piece without ▁
  float probability = 0;
};

struct MaskGuesses {
  int32_t position = 0;         // in FillResult::tokens
  uint32_t begin = 0, end = 0;  // the bytes of this [MASK] in the text
  std::vector<Guess> guesses;   // best first
};

struct FillResult {
  std::vector<Token> tokens;       // [CLS] … [SEP], the model's input
  std::vector<MaskGuesses> masks;  // in the text's order
  std::string filled;              // the text with every [MASK] replaced by its best guess
  Timing timing;
};

// Returns the text that replaces a mask: the piece without its first ▁, other ▁ as spaces.
std::string piece_text(std::string_view piece);

// Returns true if the mask at this place stands for a piece that begins a word (see below).
bool begins_word(const std::vector<Token>& tokens, size_t mask);

// A mask stands for one piece. The user's spacing tells which pieces fit: behind white space or at
// the text's start the pieces that begin a word (▁), elsewhere those that do not; special pieces
// never fit. Probabilities are over the pieces that fit. SentencePiece puts a lone "▁" before a
// [MASK] that follows a space; it is dropped, because in training a mask covers its piece's ▁, too.
class FillMask {
 public:
  // Loads a model with its tokenizer. `file` must be 16-byte aligned and outlive this object. Fails
  // like TextModel::load(), and for a model of another task.
  Status load(std::span<const uint8_t> file, Kernel kernel = best_kernel());
  Status load(TextModel loaded);  // from a loaded file

  // Sets the kernel for later calls; it must be available().
  void use_kernel(Kernel kernel) { loaded_.use_kernel(kernel); }

  // Fails for an empty text, a text without [MASK], more pieces than the model reads (naming both
  // counts), and invalid UTF-8.
  Status fill(std::string_view text, size_t top_k, FillResult* result);

  // Encodes [CLS] text [SEP] and keeps attention (see engine().attention()). Fails like fill(), but
  // the text needs no mask.
  Status attend(std::string_view text, std::vector<Token>* tokens);

  // Returns the pieces of [CLS] text [SEP], whatever their number.
  Status tokenize(std::string_view text, std::vector<Token>* tokens) const;

  // Does the same, but fails like fill(), except that the text needs no mask.
  Status read(std::string_view text, std::vector<Token>* tokens) const;

  // Returns one byte for every id: it fits a mask that begins a word, or that continues one.
  std::span<const uint8_t> fitting(bool begins) const {
    return begins ? begins_word_ : continues_word_;
  }

  // The engine's intervene(). intervene.h also swaps in states of another text.
  Status intervene(Intervention what) { return loaded_.engine->intervene(std::move(what)); }
  void restore() { loaded_.engine->restore(); }

  // Run the engine's encode() and logits() on known pieces.
  Status encode_ids(std::span<const int32_t> ids, std::span<const int32_t> wanted = {}) {
    return loaded_.engine->encode(ids, {}, false, wanted);
  }
  std::span<const float> logits(int32_t position) { return loaded_.engine->logits(position); }
  Status trace_ids(std::span<const int32_t> ids, Trace* trace) {
    return loaded_.engine->trace(ids, trace);
  }
  std::span<const float> logits_of(std::span<const float> state) {
    return loaded_.engine->logits_of(state);
  }

  const Model& model() const { return *loaded_.model; }
  const Engine& engine() const { return *loaded_.engine; }
  const PieceTokenizer& tokenizer() const { return loaded_.tokenizer; }

 private:
  Status prepare(std::string_view text, std::vector<Token>* tokens);  // read(), also into ids_
  TextModel loaded_;
  std::vector<uint8_t> begins_word_, continues_word_;  // one byte an id: fits such a mask
  std::vector<int32_t> ids_, positions_;
  std::vector<Candidate> candidates_;
};

}  // namespace minibert::infer

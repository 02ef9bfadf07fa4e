// Guesses what stands at each [MASK] of a text: tokenizer and engine together.
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
  std::string text;   // what takes the place of [MASK]: the piece without ▁
  float probability = 0;
};

struct MaskGuesses {
  int32_t position = 0;         // in FillResult::tokens
  uint32_t begin = 0, end = 0;  // the bytes of this [MASK] in the text
  std::vector<Guess> guesses;   // best first
};

struct FillResult {
  std::vector<Token> tokens;       // [CLS] … [SEP], as the model read them
  std::vector<MaskGuesses> masks;  // in the order of the text
  std::string filled;              // the text with every [MASK] replaced by its best guess
  Timing timing;
};

// Returns the text that takes a mask's place: the piece without its first ▁, other ▁ as spaces.
std::string piece_text(std::string_view piece);

// Tells whether the mask at this place of a text's tokens stands for a piece that begins a word
// (see below).
bool begins_word(const std::vector<Token>& tokens, size_t mask);

// A mask stands for one piece. The user's spacing says which pieces fit: after white space or at
// the text's start those that begin a word (▁), elsewhere those that do not; special pieces never
// fit. Probabilities are over the pieces that fit. SentencePiece puts a lone "▁" before a [MASK]
// that follows a space; it is dropped, because in training a mask covers its piece's ▁ too.
class FillMask {
 public:
  // Loads a model with its tokenizer. `file` must be 16-byte aligned and outlive this object.
  // Errors: those of TextModel::load(), and a model for another task.
  Status load(std::span<const uint8_t> file, Kernel kernel = best_kernel());
  Status load(TextModel loaded);  // the same from a file that is loaded already

  // Computes with this kernel from now on; it must be available().
  void use_kernel(Kernel kernel) { loaded_.use_kernel(kernel); }

  // Errors: an empty text, a text without [MASK], more pieces than the model reads (names both
  // counts), invalid UTF-8.
  Status fill(std::string_view text, size_t top_k, FillResult* result);

  // Encodes [CLS] text [SEP] and keeps attention (see engine().attention()). Errors: those of
  // fill(), but a text needs no mask.
  Status attend(std::string_view text, std::vector<Token>* tokens);

  // Gives [CLS] text [SEP] as the model reads it, however long it is.
  Status tokenize(std::string_view text, std::vector<Token>* tokens) const;

  // The same, with the errors of fill(), but a text needs no mask.
  Status read(std::string_view text, std::vector<Token>* tokens) const;

  // Tells for every id (a byte each) whether it fits a mask that begins a word, or one that
  // continues it.
  std::span<const uint8_t> fitting(bool begins) const {
    return begins ? begins_word_ : continues_word_;
  }

  // The engine's intervene(). intervene.h has states of another text swapped in, too.
  Status intervene(Intervention what) { return loaded_.engine->intervene(std::move(what)); }
  void restore() { loaded_.engine->restore(); }

  // The engine's encode() and logits(), for pieces that are already known.
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
  Status prepare(std::string_view text, std::vector<Token>* tokens);  // read(), and into ids_
  TextModel loaded_;
  std::vector<uint8_t> begins_word_, continues_word_;  // one byte an id: fits such a mask
  std::vector<int32_t> ids_, positions_;
  std::vector<Candidate> candidates_;
};

}  // namespace minibert::infer

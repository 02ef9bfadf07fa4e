// Explains a model's work on a sentence step by step, for a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "infer/fill_mask.h"

namespace minibert::infer {

// The output head's best pieces, and their logits.
struct StageGuess {
  std::string text;  // like Guess::text
  float logit = 0;
  float probability = 0;  // among the pieces that fit the mask
};

// A piece in the sentence, and the bonus on its logit.
struct ShownPiece {
  std::string text;  // like Guess::text
  float added = 0;
};

struct ExplainedMask {
  int32_t position = 0;  // in the tokens
  // [n_layers + 1]: for the first layer's input, then for each layer's output; the last are the
  // model's guesses.
  std::vector<std::vector<StageGuess>> stages;
  // The first guess's rank and probability by the output head after each half of a layer, [2
  // n_layers + 1], as in follow_word(); the last is its own.
  std::vector<Standing> path;
  std::vector<float> logits;      // of all pieces that fit, by id
  std::vector<ShownPiece> shown;  // largest first; empty if the model adds no bonus
};

struct Explanation {
  std::vector<Token> tokens;
  Trace trace;  // attention is kept, too: FillMask::engine().attention()
  std::vector<ExplainedMask> masks;
};

// Fails like FillMask::fill(), but the text needs no mask.
Status explain(FillMask& model, std::string_view text, size_t top, Explanation* explanation);

}  // namespace minibert::infer

// What a model did with a sentence, step by step, for those who show it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "infer/fill_mask.h"

namespace minibert::infer {

// The output head's best pieces, and their logits.
struct StageGuess {
  std::string text;  // as Guess::text
  float logit = 0;
  float probability = 0;  // among the pieces that fit the mask
};

// A piece that the sentence shows, and what that adds to its logit.
struct ShownPiece {
  std::string text;  // as Guess::text
  float added = 0;
};

struct ExplainedMask {
  int32_t position = 0;  // in the tokens
  std::vector<std::vector<StageGuess>>
      stages;                     // [n_layers + 1]: of what enters the first layer, of
                                  // what leaves each; the last are the model's guesses
  std::vector<float> logits;      // of all pieces that fit, in the order of their ids
  std::vector<ShownPiece> shown;  // most first; empty where the model adds nothing
};

struct Explanation {
  std::vector<Token> tokens;
  Trace trace;  // attention is kept too: FillMask::engine().attention()
  std::vector<ExplainedMask> masks;
};

// Errors: as FillMask::fill(), save that a mask is not needed.
Status explain(FillMask& model, std::string_view text, size_t top, Explanation* explanation);

}  // namespace minibert::infer

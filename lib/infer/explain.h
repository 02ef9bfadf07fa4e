// Tells what a model did with a sentence, step by step, for a page that shows it.
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

// A piece that stands in the sentence, and what this adds to its logit.
struct ShownPiece {
  std::string text;  // as Guess::text
  float added = 0;
};

struct ExplainedMask {
  int32_t position = 0;  // in the tokens
  std::vector<std::vector<StageGuess>>
      stages;  // [n_layers + 1]: for what enters the first layer, then
               // for what leaves each; the last are the model's guesses
  // How the first guess fares, [2 n_layers + 1]: its probability by the output head after each half of a layer,
  // as follow_word() has it; the last is its own.
  std::vector<Standing> path;
  std::vector<float> logits;      // of all pieces that fit, in the order of their ids
  std::vector<ShownPiece> shown;  // largest first; empty where the model adds nothing
};

struct Explanation {
  std::vector<Token> tokens;
  Trace trace;  // attention is kept too: FillMask::engine().attention()
  std::vector<ExplainedMask> masks;
};

// Errors: those of FillMask::fill(), but a text needs no mask.
Status explain(FillMask& model, std::string_view text, size_t top, Explanation* explanation);

}  // namespace minibert::infer

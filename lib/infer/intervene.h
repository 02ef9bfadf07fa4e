// A model that is changed inside (rules/intervention.h), beside itself as it is.
#pragma once

#include <string_view>
#include <vector>

#include "infer/fill_mask.h"
#include "infer/word_guesses.h"
#include "rules/intervention.h"

namespace minibert::infer {

// The model reads `text` so from now on, until FillMask::restore(); what is swapped in is read by the
// untouched model. Errors, after which the model is untouched: those of FillMask::read() for both texts, a part
// that the model does not have, positions that do not fit.
Status intervene(FillMask& model, std::string_view text, Intervention what, const Swap& swap);

struct ChangedGuess : Guess {
  float before = 0;  // the untouched model's probability of the same piece
};

struct ChangedMask {
  int32_t position = 0;
  std::vector<ChangedGuess> guesses;  // of the changed model, best first
  std::vector<Guess> before;          // of the untouched one
};

struct ChangedResult {
  std::vector<Token> tokens;
  int32_t layers = 0, local_layers = 0, heads = 0;  // that there are
  std::vector<ChangedMask> masks;
  // How likely the word is after each layer (follow_word), by the changed model and the untouched one; empty
  // where no word was asked for.
  std::vector<WordScore> word, word_before;
};

// `word`: followed at the `mask`-th mask; empty: none is. The model is untouched afterwards. Errors: those of
// intervene(), FillMask::fill() and follow_word().
Status fill_changed(FillMask& model, std::string_view text, size_t top, const Intervention& what,
                    const Swap& swap, size_t mask, std::string_view word, ChangedResult* result);

}  // namespace minibert::infer

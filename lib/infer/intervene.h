// Compares a model that is changed inside (rules/intervention.h) with the unchanged model.
#pragma once

#include <string_view>
#include <vector>

#include "infer/fill_mask.h"
#include "infer/word_guesses.h"
#include "rules/intervention.h"

namespace minibert::infer {

// Changes how the model reads `text` until FillMask::restore(); the unchanged model reads the text
// of a swap. Fails, and leaves the model unchanged, like FillMask::read() for both texts, for a
// part that the model lacks, and for positions that do not fit.
Status intervene(FillMask& model, std::string_view text, Intervention what, const Swap& swap);

struct ChangedGuess : Guess {
  float before = 0;  // the unchanged model's probability of the same piece
};

struct ChangedMask {
  int32_t position = 0;
  std::vector<ChangedGuess> guesses;  // the changed model's, best first
  std::vector<Guess> before;          // the unchanged model's
};

struct ChangedResult {
  std::vector<Token> tokens;
  int32_t layers = 0, local_layers = 0, heads = 0;  // of the model
  std::vector<ChangedMask> masks;
  // The word's probability after each layer (follow_word), in the changed and the unchanged model;
  // empty without a word.
  std::vector<WordScore> word, word_before;
};

// `word`: followed at the `mask`-th mask; empty: none. The model is unchanged afterwards. Fails
// like intervene(), FillMask::fill() and follow_word().
Status fill_changed(FillMask& model, std::string_view text, size_t top, const Intervention& what,
                    const Swap& swap, size_t mask, std::string_view word, ChangedResult* result);

}  // namespace minibert::infer

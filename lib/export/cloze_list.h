// How often a model's guess for a whole word is one that people would give, on a list of sentences.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/own/masked_sentences.h"
#include "infer/fill_mask.h"

namespace minibert {

struct WordGuess {
  std::string word;
  double log_probability = 0;  // natural, of all its pieces
};

// The `count` most probable words for the sentence's mask, of one to three pieces: with as many
// masks as pieces, filled from left to right, the five best beginnings kept at every step. A word's
// probability is the product of its pieces'. Throws Error when the model cannot read the sentence.
std::vector<WordGuess> guess_words(infer::FillMask& model, const std::string& text, size_t count);

// {"cloze_<kind>_first", "cloze_<kind>_top5": share of the sentences whose first guess, or one of
// whose five, is acceptable, 0 to 1; the same as "cloze_first" and "cloze_top5" over all, and alone
// for sentences without a kind;
// "sentences": [{"kind", "text", "guesses": [word, …], "rank": of the first acceptable one from 1,
// or 0}]}.
nlohmann::ordered_json evaluate_cloze_list(infer::FillMask& model,
                                           const std::vector<MaskedSentence>& sentences);

}  // namespace minibert

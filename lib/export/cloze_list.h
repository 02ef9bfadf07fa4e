// Measures how often a model's guess for a whole word is one that people accept.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/files/cloze_file.h"
#include "infer/fill_mask.h"

namespace minibert {

struct WordGuess {
  std::string word;
  double log_probability = 0;  // natural, summed over its pieces
};

// Returns the `count` most probable words for the sentence's mask, of one to three pieces: with a
// mask for each piece, filled from left to right, keeping the five best beginnings at every step. A
// word's probability is the product of its pieces'. Throws Error if the model cannot read it.
std::vector<WordGuess> guess_words(infer::FillMask& model, const std::string& text, size_t count);

struct ClozeResult {
  MaskedSentence sentence;           // as read, with one of a particle's two forms
  std::vector<std::string> guesses;  // most probable first
  size_t rank = 0;                   // of the first accepted guess, from 1; 0: none
};

std::vector<ClozeResult> guess_sentences(infer::FillMask& model,
                                         const std::vector<MaskedSentence>& sentences);

// Returns prefixes of its figures' names: "" for all sentences, and "<kind>_" if it has a kind.
std::vector<std::string> kinds_of(const MaskedSentence& sentence);

// {"cloze_first", "cloze_top5": the share of sentences, 0 to 1, whose first guess, or one of whose
// first five, is accepted; "cloze_<kind>_first", "cloze_<kind>_top5": the same for the sentences of
// a kind;
//  "counts": {kind: number of its sentences},
//  "sentences": [{"kind", "text", "accept": [word, …], "guesses": [word, …], "rank"}]}.
nlohmann::ordered_json cloze_json(const std::vector<ClozeResult>& results);

}  // namespace minibert

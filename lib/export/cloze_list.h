// How often a model's guess for a whole word is one that people would give, on a list of sentences.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/files/cloze_file.h"
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

struct ClozeResult {
  MaskedSentence sentence;           // as it was read: of a particle's two forms it has one
  std::vector<std::string> guesses;  // most probable first
  size_t rank = 0;                   // of the first acceptable one, from 1; 0: none is
};

std::vector<ClozeResult> guess_sentences(infer::FillMask& model,
                                         const std::vector<MaskedSentence>& sentences);

// What its figures' names begin with: "" of all sentences, and where it has a kind "<kind>_".
std::vector<std::string> kinds_of(const MaskedSentence& sentence);

// {"cloze_first", "cloze_top5": share of the sentences whose first guess, or one of whose five, is
// acceptable, 0 to 1; "cloze_<kind>_first", "cloze_<kind>_top5": of the sentences of a kind alone;
// "counts": {kind: number of its sentences},
// "sentences": [{"kind", "text", "accept": [word, …], "guesses": [word, …], "rank"}]}.
nlohmann::ordered_json cloze_json(const std::vector<ClozeResult>& results);

}  // namespace minibert

// Guesses words of several pieces for one mask, and computes the probability of a given word.
//
// A word of k pieces takes k adjacent masks in place of one, filled from left to right:
//   P(word | k) = Π_j P(piece j | text, pieces before it, k − j masks in the places behind it)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "infer/fill_mask.h"

namespace minibert::infer {

inline constexpr size_t kMostWordPieces = 3;
inline constexpr size_t kMostScoredPieces = 12;

struct WordGuess {
  std::string text;  // replaces the mask
  std::vector<int32_t> ids;
  float probability = 0;  // P(word | number of its pieces), as in score_word()
};

// Finds the `top` most probable words of 1 to kMostWordPieces pieces for the `mask`-th (from 0)
// [MASK] of the text; other masks stay. A word's probability is among words of as many pieces; for
// one piece it equals fill()'s. A beam search (kBeam at each piece) finds longer words. Of these it
// returns only words that the tokenizer divides in the same way and that are likely to be words:
// none repeats a piece's end, goes on behind a particle or a sentence's end, ends in a particle if
// the text has its own, or adds a single syllable to a likelier word of one piece. Fails like
// FillMask::fill(), and if there is no such mask.
Status guess_words(FillMask& model, std::string_view text, size_t mask, size_t top,
                   std::vector<WordGuess>* words);

struct PieceScore {
  int32_t id = 0;
  std::string piece;
  size_t rank = 0;  // among the pieces that fit there, from 1; 0 for a piece that never fits
  float probability = 0;
};

struct WordScore {
  std::vector<PieceScore> pieces;  // as the tokenizer divides the word
  float probability = 0;           // P(word | number of its pieces)
};

// Computes the probability of `word` at the `mask`-th [MASK]. Fails like guess_words(), and for a
// word that is empty, contains a mask, or has more than kMostScoredPieces pieces.
Status score_word(FillMask& model, std::string_view text, size_t mask, std::string_view word,
                  WordScore* score);

// Computes the word's score after each layer, [n_layers + 1]: the output head's score for the first
// layer's input, then for each layer's output (the logit lens: nostalgebraist 2020); the last is
// score_word()'s. `halves`: also between a layer's attention and its feed-forward part, [2 n_layers
// + 1]. Fails like score_word(), and for a word of several pieces if a state is patched, because
// the word would move the patch's position.
Status follow_word(FillMask& model, std::string_view text, size_t mask, std::string_view word,
                   std::vector<WordScore>* stages, bool halves = false);

// Returns the state [d_model] of a position after `half` halves of layers: 0 the first layer's
// input, 1 after its attention, 2 after its feed-forward part, ….
std::span<const float> state_after(const Trace& trace, size_t half, size_t position, size_t length,
                                   size_t width);

}  // namespace minibert::infer

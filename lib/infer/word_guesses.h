// Guesses words of several pieces for one mask, and tells how likely a given word is there.
//
// A word of k pieces takes k adjacent masks in the place of the one, filled from left to right:
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
  std::string text;  // what takes the mask's place
  std::vector<int32_t> ids;
  float probability = 0;  // P(word | number of its pieces), as score_word() gives it
};

// Finds the `top` most probable words of 1 to kMostWordPieces pieces for the `mask`-th (from 0)
// [MASK] of the text; other masks stay. A word has the probability among those of as many pieces, so
// that one of a single piece has what fill() says. A beam search (kBeam at each piece) finds longer words;
// of these only such are given as the tokenizer divides so, and that are likely to be words: none repeats a
// piece's end, goes on behind a particle or a sentence's end, ends in a particle where the text has one of its
// own, or adds a single syllable to a likelier word of one piece. Errors: those of FillMask::fill(), and no
// such mask.
Status guess_words(FillMask& model, std::string_view text, size_t mask, size_t top,
                   std::vector<WordGuess>* words);

struct PieceScore {
  int32_t id = 0;
  std::string piece;
  size_t rank = 0;  // among the pieces that fit there, from 1; 0 for one that never fits
  float probability = 0;
};

struct WordScore {
  std::vector<PieceScore> pieces;  // as the tokenizer divides the word
  float probability = 0;           // P(word | number of its pieces)
};

// Tells how likely `word` is at the `mask`-th [MASK]. Errors: those of guess_words(), and a word
// that is empty, has a mask in it, or has more than kMostScoredPieces pieces.
Status score_word(FillMask& model, std::string_view text, size_t mask, std::string_view word,
                  WordScore* score);

// The word's score after each layer, [n_layers + 1]: what the output head would give it for what enters the first
// layer, then for what leaves each (the logit lens: nostalgebraist 2020); the last is score_word()'s. Errors: those
// of score_word(), and a word of several pieces where a state is patched, whose position it would move.
// `halves`: between a layer's attention and its feed-forward, too, [2 n_layers + 1].
Status follow_word(FillMask& model, std::string_view text, size_t mask, std::string_view word,
                   std::vector<WordScore>* stages, bool halves = false);

// The state [d_model] of a position after `half` halves of layers: 0 what enters the first layer, 1 what its attention
// leaves, 2 what its feed-forward leaves, …
std::span<const float> state_after(const Trace& trace, size_t half, size_t position, size_t length,
                                   size_t width);

}  // namespace minibert::infer

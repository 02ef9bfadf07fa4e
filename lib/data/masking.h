// Masked LM targets of one instance, as the course makes them (S0: create_pretrain_mask), plus
// token-level masking.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rng.h"
#include "text/tokenizer.h"

namespace minibert {

struct MaskSettings {
  double probability = 0.15;  // at most this share of the pieces, in [0, 1]
  bool whole_words = true;    // false: every piece is chosen on its own

  bool operator==(const MaskSettings&) const = default;
};

// For every piece id 1 when it begins with ▁ (U+2581) and so starts a word, else 0; its size is the
// vocabulary's.
std::vector<uint8_t> word_start_table(const Tokenizer& tokenizer);

// Chooses the positions to predict and writes the model's input.
//
// Words are shuffled and taken in that order while they fit a budget of
// floor((length - 3) * probability) positions; one that would pass it is skipped. One throw a word:
// 80 % of the words become [MASK], 10 % stay, 10 % get a random ordinary piece at every position.
// Special pieces (ids below kFirstOrdinaryPiece) are never chosen and never drawn.
//
// As in the course a word is a piece that begins with ▁ and the following ones that do not, and
// [CLS] and [SEP] do not end it: a segment B that begins inside a word (its front was trimmed away,
// or the order was swapped) continues the last word of A. The same holds for any special piece in
// the text.
//
//   pieces       the instance with its special pieces; every id is below word_starts.size()
//   ids          out: the input, as long as pieces
//   positions    out: the chosen positions, ascending
//   labels       out: the original ids there
//
// Does not allocate once the outputs and this thread's scratch memory have grown. Thread-safe.
void mask_instance(std::span<const uint16_t> pieces, const std::vector<uint8_t>& word_starts,
                   const MaskSettings& settings, Rng& rng, std::vector<int32_t>* ids,
                   std::vector<int32_t>* positions, std::vector<int32_t>* labels);

}  // namespace minibert

// The most probable pieces of a row of logits. Shapes: V vocabulary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace minibert::infer {

struct Candidate {
  int32_t id = 0;
  float probability = 0;
};

// The `out.size()` most probable ids, best first, ties by id; NaN counts for nothing. `allowed`
// (empty: all) has one byte an id, and probabilities are over the ids that it allows. Returns how
// many there are.
size_t best_of(std::span<const float> logits_V, std::span<const uint8_t> allowed,
               std::span<Candidate> out);

// Where an allowed id stands among the allowed ones, as best_of() orders them, from 1, and its
// probability. Both are 0 for an id that is not allowed.
struct Standing {
  size_t rank = 0;
  float probability = 0;
};
Standing standing_of(std::span<const float> logits_V, std::span<const uint8_t> allowed, int32_t id);

}  // namespace minibert::infer

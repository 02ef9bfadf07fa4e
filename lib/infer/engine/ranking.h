// The most probable pieces of a row of logits. V: vocabulary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace minibert::infer {

struct Candidate {
  int32_t id = 0;
  float probability = 0;
};

// Writes the `out.size()` most probable ids, best first, ties by id; NaN is ignored. `allowed` has
// one byte an id (empty: all); probabilities are over the allowed ids. Returns the number of ids.
size_t best_of(std::span<const float> logits_V, std::span<const uint8_t> allowed,
               std::span<Candidate> out);

// The rank of an allowed id in the order of best_of(), from 1, and its probability. Both are 0 for
// an id that is not allowed.
struct Standing {
  size_t rank = 0;
  float probability = 0;
};
Standing standing_of(std::span<const float> logits_V, std::span<const uint8_t> allowed, int32_t id);

}  // namespace minibert::infer

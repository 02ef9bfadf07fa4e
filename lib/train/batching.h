// Groups examples into batches: shuffled, and bucketed by length to keep padding small.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rng.h"

namespace minibert {

// Shuffles all examples and cuts them into pools of 50 batches; sorts each pool by length, cuts it
// into batches and shuffles the batches. lengths[i] is the number of pieces of example i. A pool's
// last batch may be smaller. The result follows from `rng` alone.
std::vector<std::vector<uint32_t>> bucketed_batches(const std::vector<uint32_t>& lengths,
                                                    int64_t batch_size, Rng rng);

// Does the same with batches of at most `pieces` pieces, including padding, and at least one
// example: many short examples or few long ones. A pool has the pieces of 50 batches.
std::vector<std::vector<uint32_t>> batches_of_pieces(const std::vector<uint32_t>& lengths,
                                                     int64_t pieces, Rng rng);

// Batches examples in order of length, for evaluation.
std::vector<std::vector<uint32_t>> sorted_batches(const std::vector<uint32_t>& lengths,
                                                  int64_t batch_size);

}  // namespace minibert

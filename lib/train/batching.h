// Which examples go together: shuffled, bucketed by length so that little is padding.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rng.h"

namespace minibert {

// A random order of all examples cut into pools of 50 batches; within a pool examples are sorted by
// length, cut into batches, and the batches shuffled. lengths[i] is example i's pieces. The last
// batch of a pool may be smaller. Follows from `rng` alone.
std::vector<std::vector<uint32_t>> bucketed_batches(const std::vector<uint32_t>& lengths,
                                                    int64_t batch_size, Rng rng);

// Batches of neighbours in length, in order: for evaluation.
std::vector<std::vector<uint32_t>> sorted_batches(const std::vector<uint32_t>& lengths,
                                                  int64_t batch_size);

}  // namespace minibert

// Prints an instance as the course does, to show the model's input.
#pragma once

#include <string>

#include "data/instances/instance_file.h"
#include "text/tokenizer.h"

namespace minibert {

// Returns lines, each with "\n": the pieces with their masks, their segments, whether B follows A,
// the masked positions and the original pieces there, in the course's order and under its names.
// Masks that are not stored are those of the first epoch of `seed`.
std::string printed_instance(const InstanceFile& file, size_t index, const Tokenizer& tokenizer,
                             const MaskSettings& mask, uint64_t seed);

}  // namespace minibert

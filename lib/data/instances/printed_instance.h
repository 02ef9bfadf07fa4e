// An instance as the course prints it: for a person who wants to see what the model is given.
#pragma once

#include <string>

#include "data/instances/instance_file.h"
#include "text/tokenizer.h"

namespace minibert {

// The pieces with their masks, their segments, whether B follows A, the masked positions and the pieces
// that stood there; a line each, in the course's order and under its names, with "\n" at the end. Masks
// that are not stored are those of the first epoch of `seed`.
std::string printed_instance(const InstanceFile& file, size_t index, const Tokenizer& tokenizer,
                             const MaskSettings& mask, uint64_t seed);

}  // namespace minibert

// Checks a model before SentencePiece loads it: its loader trusts the tables inside and would read
// out of bounds or abort on a hostile model. Without exceptions, because the engine uses it, too.
#pragma once

#include <string>
#include <string_view>

namespace minibert {

// Returns the fault of a serialized model, or "". Checks the wire format; that pieces are non-empty
// UTF-8 without NUL and have finite scores; and that no step through the normalizer's double array
// (Darts) leaves it or goes on for ever.
std::string sentencepiece_problem(std::string_view serialized_model);

}  // namespace minibert

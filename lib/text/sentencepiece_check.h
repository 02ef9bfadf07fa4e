// Whether SentencePiece may see a model, whose loader trusts the tables inside and would read out of bounds or
// abort on a hostile one. Without exceptions, since the engine asks, too.
#pragma once

#include <string>
#include <string_view>

namespace minibert {

// What is wrong with a serialized model; empty: nothing. Checks the wire format, that pieces are not
// empty, UTF-8 without NUL and with finite scores, and that no step through the normalizer's double
// array (Darts) can leave it or go on for ever.
std::string sentencepiece_problem(std::string_view serialized_model);

}  // namespace minibert

// Checks a serialized SentencePiece model before SentencePiece sees it: its loader trusts the
// tables inside, and would read out of bounds or abort on a hostile one.
#pragma once

#include <string_view>

#include "infer/format/status.h"

namespace minibert::infer {

// Checks the wire format, that pieces are not empty, UTF-8 without NUL and with finite scores, and
// that no step through the normalizer's double array (Darts) can leave it or go on for ever.
Status check_tokenizer_model(std::string_view serialized_model);

}  // namespace minibert::infer

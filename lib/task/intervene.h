// Changes a stored BERT in LibTorch inside (rules/intervention.h).
#pragma once

#include "model/bert.h"
#include "rules/intervention.h"
#include "text/tokenizer.h"

namespace minibert {

// Changes how the model reads texts of `pieces` pieces from now on; the unchanged model reads the
// text of a swap. Throws a usage Error and leaves the model unchanged if the other text cannot be
// read, the model lacks a part, or positions do not fit.
void intervene(BertEncoder& bert, const Tokenizer& tokenizer, int64_t pieces, Intervention what,
               const Swap& swap);

}  // namespace minibert

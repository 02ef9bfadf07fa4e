// A stored BERT that LibTorch runs, changed inside (rules/intervention.h).
#pragma once

#include "model/bert.h"
#include "rules/intervention.h"
#include "text/tokenizer.h"

namespace minibert {

// The model reads texts of `pieces` pieces so from now on; what is swapped in is read by the untouched model.
// Throws a usage Error, after which the model is untouched: the other text cannot be read, a part that the model
// does not have, positions that do not fit.
void intervene(BertEncoder& bert, const Tokenizer& tokenizer, int64_t pieces, Intervention what,
               const Swap& swap);

}  // namespace minibert

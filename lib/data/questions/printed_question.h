// Prints the steps from a question to a model's input, as the course does (S1).
#pragma once

#include <string>

#include "data/questions/korquad.h"
#include "data/questions/qa_features.h"
#include "text/tokenizer.h"

namespace minibert {

// Prints example number `example` of `split`, which was made from `set`, as lines with "\n":
// question and context; the answer and its characters; the words around it, each with its number,
// its first piece's number and its pieces; every span that was tried for the answer's pieces ("X"
// or "O"); the span; the input with its segments.
std::string printed_question(const KorquadSet& set, const QaSplit& split, uint32_t example,
                             const Tokenizer& tokenizer, const QaFeatureSettings& settings);

}  // namespace minibert

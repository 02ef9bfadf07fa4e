// Sentences with a blank and the accepted words, for evaluate --cloze.
#pragma once

#include <string>
#include <vector>

namespace minibert {

struct MaskedSentence {
  std::string kind;                 // each kind is also counted apart; empty: none
  std::string text;                 // with one [MASK] for a whole word
  std::vector<std::string> accept;  // accepted words in composed form; at least one
};

// Reads a list: JSON as in tests/quality/cloze.json, {"sentences": [{"kind", "text", "accept":
// [word, …]}]}, or a table (table.h) with the columns text and accept (or 문장 and 정답), words
// separated by bars, and perhaps kind (종류). A blank is [MASK] or any form in rules/blanks.h. Throws
// Error naming file and line or number if a sentence has no blank, several blanks or no word.
std::vector<MaskedSentence> read_cloze_file(const std::string& path);

}  // namespace minibert

// Sentences with a blank and the words that are right there, for evaluate --cloze.
#pragma once

#include <string>
#include <vector>

namespace minibert {

struct MaskedSentence {
  std::string kind;  // sentences of one kind are also counted apart; empty: of none
  std::string text;  // with one [MASK] for a whole word
  std::vector<std::string>
      accept;  // the words that are right there, in composed form; at least one
};

// Reads a list as tests/quality/cloze.json, {"sentences": [{"kind", "text", "accept": [word, …]}]}, or a table (table.h)
// with the columns text and accept (or 문장 and 정답), several words between bars, and perhaps kind (종류). A blank is
// [MASK] or as people type it (rules/blanks.h). Throws Error naming file and line or number: no blank or several, no
// word.
std::vector<MaskedSentence> read_cloze_file(const std::string& path);

}  // namespace minibert

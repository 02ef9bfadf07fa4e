// Sentences with a blank and the words that are right there, for evaluate --cloze.
#pragma once

#include <string>
#include <vector>

#include "data/own_source.h"

namespace minibert {

struct MaskedSentence {
  std::string kind;  // sentences of one kind are also counted apart; empty: of none
  std::string text;  // with one [MASK] for a whole word
  std::vector<std::string>
      accept;  // the words that are right there, in composed form; at least one
};

struct MaskedSentences {
  std::vector<MaskedSentence> sentences;  // at least one
  std::vector<std::string>
      notes;  // a line each, for people: what was left out, which columns were taken
};

// Of any table (read_table.h): a column of sentences, whose cells have a blank each (rules/blanks.h), one of words
// (accept, answer, 정답, …; else the only other one), several of them in a list or between commas, semicolons, bars or
// slashes, and maybe one of kinds (kind, 종류, …). Or sentences alone, in which the word itself stands in brackets:
// "비가 와서 [우산]을 챙겼다." tests/quality/cloze.json is read so, too. `source`: text, answer, group (of the kinds), header and
// separator, where they are given. Throws a usage Error naming the file, its line and what is expected: no column of
// sentences, none of words or several, no blank or several in a sentence, no word.
MaskedSentences read_masked_sentences(const std::string& path, const OwnSource& source = {});

}  // namespace minibert

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

// Of any table (read_table.h): the column of sentences is the one with blanks (rules/blanks.h), or with a bracketed word,
// "비가 와서 [우산]을 챙겼다.", in most rows; of lists (JSON's or Python's) each text is one. The right words stand in brackets,
// in a column (accept, answer, 정답, …, else the only other one), as alternatives' number, letter or text where there are
// some, or behind "정답:" or an arrow; several in a list or between commas, semicolons, bars, slashes or 또는. A column of kinds
// is called kind, 종류, … . Numbers before the sentences and points behind them are cut off. Rows without a blank, with
// several or without a word are left out, and noted. tests/quality/cloze.json is read so, too. `source`: text, answer,
// group (of the kinds), header and separator, where they are given. Throws a usage Error naming the file and what is
// expected: no column of sentences or several, none of words or several, no sentence left.
MaskedSentences read_masked_sentences(const std::string& path, const OwnSource& source = {});

}  // namespace minibert

// Finds answers for questions by rule: dates, numbers, titles, people, places and recurring nouns
// in the sentences of a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/made/cloze_sentence.h"
#include "data/made/cloze_words.h"

namespace minibert {

struct ClozeAnswer {
  ClozeKind kind;
  size_t first, last;            // words that the answer removes, inclusive
  uint32_t begin, end;           // the answer in the sentence's text
  std::u32string_view particle;  // behind it, a view into the sentence's text
  std::u32string_view head;  // the noun that asks for the answer (도시, 화가, 명); may be empty
};

// The subject of a document, from its title and first sentence.
struct ClozeTopic {
  std::u32string title;  // without parentheses
  std::u32string head;   // 배우, for "…은 대한민국의 배우이다."; may be empty
};

// Returns every answer in the sentence in order. An answer is contiguous in the context.
std::vector<ClozeAnswer> find_answers(const ClozeSentence& sentence, const NounEvidence& nouns,
                                      const CommonNouns& common, const ClozeTopic& topic);

}  // namespace minibert

// What a question by rule may ask for: dates, numbers, titles, people, places and recurring nouns
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
  size_t first, last;            // words that go when the answer goes, inclusive
  uint32_t begin, end;           // the answer in the sentence's text
  std::u32string_view particle;  // behind it, a view into the sentence's text
  std::u32string_view head;      // the noun that asks for it (도시, 화가, 명); may be empty
};

// What the document is about, from its title and first sentence.
struct ClozeTopic {
  std::u32string title;  // without what stands in parentheses
  std::u32string head;  // 배우, for "…은 대한민국의 배우이다."; empty when it does not tell
};

// Every answer that the sentence has, in the text's order. An answer is contiguous in the context.
std::vector<ClozeAnswer> find_answers(const ClozeSentence& sentence, const NounEvidence& nouns,
                                      const CommonNouns& common, const ClozeTopic& topic);

}  // namespace minibert

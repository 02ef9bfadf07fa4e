// Answers by word overlap, without learning: the baseline of question answering.
#pragma once

#include <cstddef>
#include <string_view>

namespace minibert {

struct OverlapAnswer {
  size_t begin = 0, end = 0;  // code points of the context; equal only if it has no word
  double score = 0;           // of the answer's place; comparable only within one context
};

// Finds the sentence that shares most rare character bigrams with the question (rare: in few of the
// context's sentences). In it, returns the word nearest to the shared ones that is not shared
// itself; a word with a digit if the question asks for a number or a time; a predicate only if
// there is nothing else. Leaves off punctuation around the word and its particle.
OverlapAnswer overlap_answer(std::u32string_view context, std::u32string_view question);

}  // namespace minibert

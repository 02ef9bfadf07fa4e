// The floor of question answering: an answer by word overlap, nothing learned.
#pragma once

#include <cstddef>
#include <string_view>

namespace minibert {

struct OverlapAnswer {
  size_t begin = 0, end = 0;  // code points of the context; equal only when it has no word
  double score = 0;           // of the answer's place; comparable within one context alone
};

// The sentence that shares most rare character bigrams with the question (rare: in few of the
// context's sentences), and in it the word that stands nearest to what is shared without being
// shared itself; a word with a digit where the question asks for a number or a time; predicates
// only for want of others. Punctuation around the word and its particle do not belong to the
// answer.
OverlapAnswer overlap_answer(std::u32string_view context, std::u32string_view question);

}  // namespace minibert

// Marks the words of a context that the question has, too: a small model does not learn this from a
// few thousand questions (Weissenborn et al. 2017, arXiv:1703.04816: question-word awareness).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rules/context_words.h"

namespace minibert {

// Segments of an input; the last two only with QaFeatureSettings::overlap.
enum Segment : uint8_t {
  kQuestionSegment = 0,
  kContextSegment = 1,
  kSharedPieceSegment = 2,  // the question has the piece, too
  kSharedWordSegment = 3,   // its word shares two syllables in a row with a question word
};

inline constexpr int64_t kOverlapSegments = 4;

// A context's words, prepared once for all its questions.
class QuestionOverlap {
 public:
  QuestionOverlap(std::u32string_view context, const WordRanges& words);

  // Returns the segment of every context piece. `ids`: the context's pieces; `word_piece`: the
  // first piece of every word.
  std::vector<uint8_t> segments(std::u32string_view question,
                                const std::vector<int32_t>& question_ids,
                                const std::vector<int32_t>& ids,
                                const std::vector<uint32_t>& word_piece) const;

 private:
  std::vector<uint64_t> pairs_;   // pairs of neighbouring letters, word by word
  std::vector<size_t> first_{0};  // by word, then the end
};

}  // namespace minibert

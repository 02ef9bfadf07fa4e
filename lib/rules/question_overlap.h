// Which words of a context stand in a question too: what a small model does not find out by itself
// from a few thousand questions (Weissenborn et al. 2017, arXiv:1703.04816: question-word
// awareness).
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
  kSharedPieceSegment = 2,  // the piece is one of the question's too
  kSharedWordSegment = 3,   // its word has two syllables in a row with one of the question's
};

inline constexpr int64_t kOverlapSegments = 4;

// The words of a context, prepared once for all its questions.
class QuestionOverlap {
 public:
  // `words`: of `context`.
  QuestionOverlap(std::u32string_view context, const WordRanges& words);

  // The segment of every context piece: ids, and the first piece of every word (word_piece).
  std::vector<uint8_t> segments(std::u32string_view question,
                                const std::vector<int32_t>& question_ids,
                                const std::vector<int32_t>& ids,
                                const std::vector<uint32_t>& word_piece) const;

 private:
  std::vector<uint64_t> pairs_;   // of letters in a row, word by word
  std::vector<size_t> first_{0};  // of every word, and the end
};

}  // namespace minibert

// Windows over a context that is longer than the model's input.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace minibert {

// The form of a question as input.
struct QaFeatureSettings {
  int max_length = 384;  // pieces in a window, including [CLS] and both [SEP]
  int max_question = 64;
  int stride = 128;  // pieces between overlapping windows of a long context, in evaluation
  // Segments mark context pieces that the question has, too (rules/question_overlap.h): four
  // segments instead of two.
  bool overlap = false;
};

// Treatment of a question with more than max_question pieces. Training reads its beginning.
enum class LongQuestion { refused, cut };

struct ContextWindow {
  uint32_t first, count;  // context pieces
};

// Returns windows, `stride` apart, that cover all context pieces. The first is the course's: from
// the context's first piece, cut to fit beside the question; it alone may be empty. Requires
// max_length > max_question + 3, question_pieces <= max_question and stride > 0.
std::vector<ContextWindow> covering_windows(uint32_t context_pieces, uint32_t question_pieces,
                                            const QaFeatureSettings& settings);
// Returns how many context pieces fit in one window beside the question.
uint32_t window_capacity(uint32_t question_pieces, const QaFeatureSettings& settings);
// Returns the input position of a window's first context piece.
uint32_t context_offset(uint32_t question_pieces);

// The parts from which a window is built.
struct WindowParts {
  std::span<const int32_t> question, context;  // pieces of the question and of the whole context
  std::span<const uint8_t> context_segments;   // by context piece; empty: 1
  int32_t cls, sep;                            // ids
};

// Appends ids and segments (0 question, 1 context; with overlap also 2 and 3) of [CLS] question
// [SEP] context pieces [SEP].
void append_window(const WindowParts& parts, const ContextWindow& window, std::vector<int32_t>* ids,
                   std::vector<uint8_t>* segments);

}  // namespace minibert

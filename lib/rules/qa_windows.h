// Questions with a context longer than a model reads: windows that cover the context.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace minibert {

// How questions become input.
struct QaFeatureSettings {
  int max_length = 384;  // pieces of a window with [CLS] and both [SEP]
  int max_question = 64;
  int stride = 128;  // between overlapping windows of a long context, in evaluation
  // Segments tell which context pieces the question has too (rules/question_overlap.h): four segments
  // instead of two.
  bool overlap = false;
};

// What becomes of a question of more than max_question pieces. Training reads its beginning.
enum class LongQuestion { refused, cut };

struct ContextWindow {
  uint32_t first, count;  // context pieces
};

// All windows that cover a context of so many pieces, `stride` apart; the first, which alone may be
// empty, is the course's: from the context's first piece, cut to fit beside the question. Requires
// max_length > max_question + 3, question_pieces <= max_question and stride > 0.
std::vector<ContextWindow> covering_windows(uint32_t context_pieces, uint32_t question_pieces,
                                            const QaFeatureSettings& settings);
// Context pieces that fit in one window beside the question.
uint32_t window_capacity(uint32_t question_pieces, const QaFeatureSettings& settings);
// Position in the input of a window's first context piece.
uint32_t context_offset(uint32_t question_pieces);

// What a window is made of.
struct WindowParts {
  std::span<const int32_t> question, context;  // pieces; all of the context's
  std::span<const uint8_t> context_segments;   // of all its pieces; empty: 1
  int32_t cls, sep;                            // ids
};

// Appends ids and segments (0 question, 1 context; with overlap also 2 and 3) of [CLS] question [SEP]
// context pieces [SEP].
void append_window(const WindowParts& parts, const ContextWindow& window, std::vector<int32_t>* ids,
                   std::vector<uint8_t>* segments);

}  // namespace minibert

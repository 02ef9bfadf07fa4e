// Turns KorQuAD questions into model input, as the course does (S1: _tokenize_whitespace,
// _tokenize_vocab, _improve_span, load_data), and aligns pieces with the original text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/questions/korquad.h"
#include "rules/qa_windows.h"
#include "text/tokenizer.h"

namespace minibert {

// A context, encoded once for all its questions: every word on its own.
struct EncodedContext {
  std::vector<int32_t> ids;          // pieces
  std::vector<uint32_t> begin, end;  // each piece's bytes in the original context
  std::vector<uint32_t> word_piece;  // by word: its first piece
};

struct QaExample {
  std::string id;
  std::vector<std::string> answers;   // accepted ones, the label first
  std::vector<int32_t> question_ids;  // at most max_question pieces
  uint32_t context;                   // index into QaSplit::contexts
  uint32_t start, end;                // gold piece span in the context, inclusive
  // The segment of every context piece (rules/question_overlap.h); empty without QaFeatureSettings::overlap.
  std::vector<uint8_t> context_segments;
  bool question_is_cut = false;  // the question has more pieces
};

struct QaSplit {
  std::vector<std::string> context_texts;
  std::vector<EncodedContext> contexts;  // same index
  std::vector<std::string> clusters;     // same index (data/splits/clusters.h)
  std::vector<QaExample> examples;
  SpecialPieces special;  // the tokenizer's
};

// Encodes every question of `set`, in order. `threads` threads tokenize each context once; the
// result does not depend on their number. Throws Error naming the question id if an answer is not
// the text at answer_start.
QaSplit encode_questions(const KorquadSet& set, const Tokenizer& tokenizer,
                         const QaFeatureSettings& settings, int threads);

// One input: [CLS] question [SEP] context pieces [first, first+count) [SEP].
struct QaWindow {
  uint32_t example;
  uint32_t first, count;  // context pieces in the window
};

// Returns the course's window: from the context's first piece, cut to fit.
QaWindow course_window(const QaSplit& split, uint32_t example, const QaFeatureSettings& settings);
// Returns true if the course drops the example: its answer ends beyond the course's window.
bool course_discards(const QaSplit& split, uint32_t example, const QaFeatureSettings& settings);
// Returns all windows that cover the context (rules/qa_windows.h); the first is the course's.
std::vector<QaWindow> covering_windows(const QaSplit& split, uint32_t example,
                                       const QaFeatureSettings& settings);

// Returns the number of pieces in the input, including special ones.
uint32_t window_length(const QaSplit& split, const QaWindow& window);
// Returns the input position of the window's first context piece.
uint32_t context_offset(const QaSplit& split, const QaWindow& window);

// Appends a window's ids and segments (0 question, 1 context; with overlap also 2, 3), unpadded.
void append_window(const QaSplit& split, const QaWindow& window, std::vector<int32_t>* ids,
                   std::vector<uint8_t>* segments);

// Returns the original text of context pieces [start, end].
std::string span_text(const QaSplit& split, uint32_t context, uint32_t start, uint32_t end);

// Returns an example as one line of JSON without "\n", for comparison with other implementations:
// {"id", "input_ids" (not padded), "segments", "start", "end", "discarded": false} with start and
// end as positions in input_ids; if the course drops the example, only {"id", "discarded": true}.
std::string feature_line(const QaSplit& split, uint32_t example, const QaFeatureSettings& settings);

}  // namespace minibert

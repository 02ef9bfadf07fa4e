// Finds the spans of a text that answer a question: tokenizer and engine together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "infer/engine/text_model.h"
#include "infer/format/status.h"
#include "infer/timing.h"
#include "rules/qa_windows.h"

namespace minibert::infer {

struct Answer {
  std::string text;              // exact text of the context
  uint32_t begin = 0, end = 0;   // bytes of the context, [begin, end)
  uint32_t first = 0, last = 0;  // the same in code points, [first, last): KorQuAD counts them
  double probability = 0;        // among the compared spans: at least the n_best of the model
};

struct AnswerResult {
  std::vector<Answer> answers;  // best first; empty where the context has no piece
  uint32_t question_pieces = 0, context_pieces = 0;
  uint32_t windows = 0;  // the context was read in so many
  Timing timing;
};

// Reads every word of the context on its own, in overlapping windows, and with "overlap" tells the
// model which words the question has too, all as in training.
class Answerer {
 public:
  // Loads a model with its tokenizer. `file` must be 16-byte aligned and outlive this object.
  // Errors: those of TextModel::load(), and a model for another task.
  Status load(std::span<const uint8_t> file, Kernel kernel = best_kernel());
  Status load(TextModel loaded);  // the same from a file that is loaded already

  // Computes with this kernel from now on; it must be available().
  void use_kernel(Kernel kernel) { loaded_.use_kernel(kernel); }

  // Finds the `top` best answers. Errors: an empty question or context, a question of more pieces
  // than the model reads (names both counts) unless it may be cut, invalid UTF-8.
  Status answer(std::string_view question, std::string_view context, size_t top,
                AnswerResult* result, LongQuestion long_question = LongQuestion::refused);

  // Gives the question as the model reads it, however long it is. Errors: invalid UTF-8.
  Status tokenize(std::string_view question, std::vector<Token>* tokens) const {
    return loaded_.tokenizer.encode_named(question, tokens);
  }

  // The engine's encode(), for pieces that are already known.
  Status encode_ids(std::span<const int32_t> ids) { return loaded_.engine->encode(ids); }

  const Model& model() const { return *loaded_.model; }
  const Engine& engine() const { return *loaded_.engine; }

 private:
  struct Reading;
  Status read_question(std::string_view question, LongQuestion long_question,
                       Reading* reading) const;
  Status read_context(std::string_view context, Reading* reading) const;
  // Finds the best spans of every window.
  Status find_spans(const Reading& reading, const SpanSettings& settings,
                    std::vector<std::vector<Span>>* windows);

  TextModel loaded_;
};

}  // namespace minibert::infer

// Finds the spans of a text that answer a question, with tokenizer and engine.
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
  std::string text;              // the context's own text
  uint32_t begin = 0, end = 0;   // bytes of the context, [begin, end)
  uint32_t first = 0, last = 0;  // in code points, [first, last), as KorQuAD counts
  double probability = 0;        // among the compared spans, at least the model's n_best
};

struct AnswerResult {
  std::vector<Answer> answers;  // best first; empty if the context has no piece
  uint32_t question_pieces = 0, context_pieces = 0;
  uint32_t windows = 0;  // windows in which the context was read
  Timing timing;
};

// Reads every word of the context by itself, in overlapping windows. With "overlap" it marks the
// words that the question has, too. All this is as in training.
class Answerer {
 public:
  // Loads a model with its tokenizer. `file` must be 16-byte aligned and outlive this object. Fails
  // like TextModel::load(), and for a model of another task.
  Status load(std::span<const uint8_t> file, Kernel kernel = best_kernel());
  Status load(TextModel loaded);  // from a loaded file

  // Sets the kernel for later calls; it must be available().
  void use_kernel(Kernel kernel) { loaded_.use_kernel(kernel); }

  // Finds the `top` best answers. Fails for an empty question or context, invalid UTF-8, and a
  // question of more pieces than the model reads (naming both counts) unless it may be cut.
  Status answer(std::string_view question, std::string_view context, size_t top,
                AnswerResult* result, LongQuestion long_question = LongQuestion::refused);

  // Returns the question's pieces, whatever their number. Fails for invalid UTF-8.
  Status tokenize(std::string_view question, std::vector<Token>* tokens) const {
    return loaded_.tokenizer.encode_named(question, tokens);
  }

  // Runs the engine's encode() on known pieces.
  Status encode_ids(std::span<const int32_t> ids) { return loaded_.engine->encode(ids); }

  const Model& model() const { return *loaded_.model; }
  const Engine& engine() const { return *loaded_.engine; }

 private:
  struct Reading;
  Status read_question(std::string_view question, LongQuestion long_question,
                       Reading* reading) const;
  Status read_context(std::string_view context, Reading* reading) const;
  Status find_spans(const Reading& reading, const SpanSettings& settings,
                    std::vector<std::vector<Span>>* windows);

  TextModel loaded_;
};

}  // namespace minibert::infer

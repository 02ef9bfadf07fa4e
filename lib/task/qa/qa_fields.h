// The keys of a question-answering experiment's "features".
#pragma once

#include "core/fields.h"
#include "task/qa/qa_settings.h"

namespace minibert {

template <class V>
void fields(QaSettings& c, V& v) {
  v("max_length", c.features.max_length, Whole{16, 4096},
    "pieces of a window: question, text and special ones");
  v("max_question", c.features.max_question, Whole{1, 1024},
    "pieces of a question; what is beyond is not read");
  v("stride", c.features.stride, Whole{1, 4096}, "pieces between the starts of windows");
  v("max_answer", c.spans.max_answer, Whole{1, 1024}, "pieces of the longest answer");
  v("n_best", c.spans.n_best, Whole{1, 1000}, "starts and ends that are tried together");
  v("overlap", c.features.overlap,
    "two more segments tell the model which pieces and words of the text the question has");
  v.retired("training_windows", "first");
}

// In "model".
struct QaHeadConfig {
  int64_t answer_lengths = 0;
};

template <class V>
void fields(QaHeadConfig& c, V& v) {
  v("answer_lengths", c.answer_lengths, Whole{0, 1024},
    "a span's score counts how often training answers have its length, up to so many pieces; 0: "
    "not "
    "at all (the course)");
}

}  // namespace minibert

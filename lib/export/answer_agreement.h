// Measures the loss by quantization in question answering: both models answer the same questions.
#pragma once

#include <cstdint>
#include <span>

#include "data/questions/korquad.h"

namespace minibert {

struct AnswerAgreement {
  uint64_t questions = 0;
  uint64_t same = 0;  // equal places of both models' best answers
  double float_exact_match = 0, float_f1 = 0, int8_exact_match = 0, int8_f1 = 0;  // 0 to 100
  // int8's answers as people see them: without particles, with whole numbers (infer/particles.h).
  double shown_exact_match = 0, shown_f1 = 0;
  // Percent of questions with such an answer of infer::kSure or more, asked of their own text and of
  // the text half the set away; percent right of the own text's sure answers and of its others.
  double sure = 0, sure_elsewhere = 0, sure_exact_match = 0, unsure_exact_match = 0;

  double agreement() const { return double(same) / double(questions); }  // 0 to 1
};

// Answers the first `limit` questions of `set` (0: all) with the portable engine on `threads`
// threads, and scores them with the official scorer. A question too long for the model gets no
// answer. Throws Error if a model file cannot be loaded. The files' bytes must be aligned to 16.
AnswerAgreement measure_answer_agreement(std::span<const uint8_t> float_file,
                                         std::span<const uint8_t> int8_file, const KorquadSet& set,
                                         uint64_t limit, int threads);

}  // namespace minibert

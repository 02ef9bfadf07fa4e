// Answering questions and measuring the answers: windows, logits, spans, scores.
#pragma once

#include <string>
#include <vector>

#include "task/korquad/qa_model.h"
#include "task/korquad/qa_settings.h"
#include "train/trainer.h"

namespace minibert {

struct QaAnswer {
  std::string text;     // exact text of the context
  uint32_t begin, end;  // bytes of the context
  double probability;
};

struct QaEvaluation {
  // exact_match, f1 (0-100, official scorer), questions; start_accuracy, end_accuracy (0-1, every
  // question, the course's window) and their sum start_end_accuracy; course_start_accuracy, course_end_accuracy (questions that the
  // course drops left out).
  Metrics metrics;
  std::vector<std::string> id, gold, text;  // of every question, in order
  std::vector<double> probability, exact_match, f1;
};

// Reads every context in covering windows; the best span over the windows is the answer.
QaEvaluation evaluate_questions(QaModel& model, const QaSplit& split, const QaSettings& settings,
                                torch::Device device, int64_t batch_size = 32);

// The n-best answers to one example, best first.
std::vector<QaAnswer> answer_question(QaModel& model, const QaSplit& split, uint32_t example,
                                      const QaSettings& settings, torch::Device device);

// Median wall time of answer_question over the first `count` examples, after a warm-up, in ms.
double milliseconds_per_question(QaModel& model, const QaSplit& split, const QaSettings& settings,
                                 torch::Device device, uint32_t count = 100);

}  // namespace minibert

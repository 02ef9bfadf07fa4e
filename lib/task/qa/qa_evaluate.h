// Answers questions and scores the answers: windows, logits, spans, scores.
#pragma once

#include <string>
#include <vector>

#include "task/qa/qa_model.h"
#include "task/qa/qa_settings.h"
#include "task/task_kind.h"

namespace minibert {

struct QaAnswer {
  std::string text;     // the context's own text
  uint32_t begin, end;  // bytes of the context
  double probability;
};

// Scores answers with the official scorer, against the best of several right answers.
class ScoredAnswers {
 public:
  void add(const std::string& id, const std::string& cluster, const std::vector<std::string>& right,
           const std::string& answer, double score);
  // Returns exact_match, f1 (0-100), questions; predictions id, gold (right answers, one a line),
  // prediction, cluster, score, exact_match, f1.
  Evaluation evaluation() const;

 private:
  std::vector<std::string> id_, cluster_, gold_, prediction_;
  std::vector<double> score_, exact_match_, f1_;
};

// Reads every context in covering windows. The best span over the windows is the answer, its
// probability the score. Adds to ScoredAnswers' figures: start_accuracy, end_accuracy (0-1, every
// question, the course's window) and their sum start_end_accuracy (0 to 2); course_start_accuracy,
// course_end_accuracy (without the questions that the course drops). The forward passes are spread
// over `workers`.
Evaluation evaluate_questions(QaModel& model, const QaSplit& split, const QaSettings& settings,
                              torch::Device device, Workers* workers = nullptr,
                              int64_t batch_size = 32);

// Returns the n-best answers to one example, best first.
std::vector<QaAnswer> answer_question(QaModel& model, const QaSplit& split, uint32_t example,
                                      const QaSettings& settings, torch::Device device);

// Returns answer_question()'s median ms over the first `count` examples, after a warm-up.
double milliseconds_per_question(QaModel& model, const QaSplit& split, const QaSettings& settings,
                                 torch::Device device, uint32_t count = 100);

}  // namespace minibert

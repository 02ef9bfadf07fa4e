#include "export/answer_agreement.h"

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "export/loaded_engine.h"
#include "infer/answerer.h"
#include "infer/particles.h"
#include "score/qa_score.h"

namespace minibert {
namespace {

struct Question {
  const KorquadQuestion* question;
  const std::string* context;
};

std::vector<Question> first_questions(const KorquadSet& set, uint64_t limit) {
  std::vector<Question> out;
  for (const KorquadParagraph& paragraph : set.paragraphs)
    for (const KorquadQuestion& question : paragraph.questions)
      if (limit == 0 || out.size() < limit) out.push_back({&question, &paragraph.context});
  return out;
}

// The best answer as the model gives it, and as people are shown it.
struct Best {
  infer::Answer given, shown;
};

Best best(infer::Answerer& model, const Question& asked) {
  Best out;
  const std::vector<infer::Answer> shown =
      infer::answers_without_particles(*asked.context, 1, [&](size_t count) {
        infer::AnswerResult result;
        const infer::Status status =
            model.answer(asked.question->question, *asked.context, count, &result);
        if (!status.ok() && status.problem() != infer::Problem::question_too_long)
          throw Error("question " + asked.question->id + ": " + status.message());
        if (!result.answers.empty()) out.given = result.answers[0];
        return result.answers;
      });
  if (!shown.empty()) out.shown = shown[0];
  return out;
}

}  // namespace

AnswerAgreement measure_answer_agreement(std::span<const uint8_t> float_file,
                                         std::span<const uint8_t> int8_file, const KorquadSet& set,
                                         uint64_t limit, int threads) {
  const std::vector<Question> questions = first_questions(set, limit);
  struct Scores {
    bool same = false;
    double float_exact_match = 0, float_f1 = 0, int8_exact_match = 0, int8_f1 = 0;  // 0 to 1
    double shown_exact_match = 0, shown_f1 = 0;
  };
  std::vector<Scores> scores(questions.size());
  parallel_over(questions.size(), threads, [&] {
    return [&, float_model = load_engine<infer::Answerer>(float_file),
            int8_model = load_engine<infer::Answerer>(int8_file)](size_t i) {
      const infer::Answer by_float = best(*float_model, questions[i]).given;
      const auto [by_int8, shown] = best(*int8_model, questions[i]);
      const std::vector<std::string> right = questions[i].question->answers();
      scores[i] = {by_float.begin == by_int8.begin && by_float.end == by_int8.end,
                   best_exact_match(by_float.text, right),
                   best_f1(by_float.text, right),
                   best_exact_match(by_int8.text, right),
                   best_f1(by_int8.text, right),
                   best_exact_match(shown.text, right),
                   best_f1(shown.text, right)};
    };
  });
  AnswerAgreement total{.questions = scores.size()};
  const double percent = 100 / std::max(1.0, static_cast<double>(total.questions));
  for (const Scores& one : scores) {
    total.same += one.same;
    total.float_exact_match += percent * one.float_exact_match;
    total.float_f1 += percent * one.float_f1;
    total.int8_exact_match += percent * one.int8_exact_match;
    total.int8_f1 += percent * one.int8_f1;
    total.shown_exact_match += percent * one.shown_exact_match;
    total.shown_f1 += percent * one.shown_f1;
  }
  return total;
}

}  // namespace minibert

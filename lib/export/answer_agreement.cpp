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
  struct Answers {
    infer::Answer by_float;
    Best by_int8;
    double elsewhere = 0;  // int8's probability, asked of a text far from the question's
  };
  std::vector<Answers> all(questions.size());
  parallel_over(questions.size(), threads, [&] {
    return [&, float_model = load_engine<infer::Answerer>(float_file),
            int8_model = load_engine<infer::Answerer>(int8_file)](size_t i) {
      const std::string* far = questions[(i + questions.size() / 2) % questions.size()].context;
      all[i] = {best(*float_model, questions[i]).given, best(*int8_model, questions[i]),
                best(*int8_model, {questions[i].question, far}).shown.probability};
    };
  });
  AnswerAgreement total{.questions = all.size()};
  const double percent = 100 / std::max(1.0, static_cast<double>(total.questions));
  for (size_t i = 0; i < all.size(); ++i) {
    const auto& [by_float, by_int8, elsewhere] = all[i];
    const std::vector<std::string> right = questions[i].question->answers();
    const double shown_right = percent * best_exact_match(by_int8.shown.text, right);
    const bool sure = by_int8.shown.probability >= infer::kSure;
    total.same += by_float.begin == by_int8.given.begin && by_float.end == by_int8.given.end;
    total.float_exact_match += percent * best_exact_match(by_float.text, right);
    total.float_f1 += percent * best_f1(by_float.text, right);
    total.int8_exact_match += percent * best_exact_match(by_int8.given.text, right);
    total.int8_f1 += percent * best_f1(by_int8.given.text, right);
    total.shown_exact_match += shown_right;
    total.shown_f1 += percent * best_f1(by_int8.shown.text, right);
    total.sure += sure ? percent : 0;
    total.sure_elsewhere += elsewhere >= infer::kSure ? percent : 0;
    (sure ? total.sure_exact_match : total.unsure_exact_match) += shown_right;
  }
  total.sure_exact_match *= 100 / std::max(percent, total.sure);
  total.unsure_exact_match *= 100 / std::max(percent, 100 - total.sure);
  return total;
}

}  // namespace minibert

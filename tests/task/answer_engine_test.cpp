// The shipped record that answers questions, through LibTorch and through the portable engine.
#include <algorithm>
#include <catch2/catch.hpp>

#include "core/error.h"
#include "data/registry.h"
#include "data/splits/question_data.h"
#include "export/answer_agreement.h"
#include "infer/answerer.h"
#include "score/qa_score.h"
#include "support/shipped.h"
#include "task/all/export_run.h"
#include "task/qa/qa_data.h"
#include "task/qa/qa_evaluate.h"
#include "task/qa/qa_kind.h"

namespace minibert {
namespace {

using testing::kShippedAnswers;

struct Asked {
  std::string context, question;
};

// KorQuAD's development set is in the repository.
KorquadSet test_questions() {
  return load_korquad(choose(Registry::load(), {"korquad-v1-dev-split"}, data_directory())).test;
}

// Questions that the record was not trained on, at even distances.
std::vector<Asked> questions(size_t count) {
  const KorquadSet set = test_questions();
  std::vector<Asked> all, some;
  for (const KorquadParagraph& paragraph : set.paragraphs)
    for (const KorquadQuestion& question : paragraph.questions)
      all.push_back({paragraph.context, question.question});
  for (size_t i = 0; i < std::min(count, all.size()); ++i)
    some.push_back(all[i * all.size() / std::min(count, all.size())]);
  return some;
}

struct Loaded {
  AlignedBytes file;
  infer::Answerer model;
  explicit Loaded(MbqWeights type) : file(export_record(kShippedAnswers, type)) {
    const auto status = model.load(file.span());
    INFO(status.message());
    REQUIRE(status.ok());
  }
  infer::Answer best(const Asked& asked) {
    infer::AnswerResult result;
    const auto status = model.answer(asked.question, asked.context, 5, &result);
    INFO(status.message());
    REQUIRE(status.ok());
    return result.answers.at(0);
  }
};

}  // namespace

TEST_CASE("the shipped record answers in the engine as it does in LibTorch") {
  const RunRecord record = load_record(kShippedAnswers);
  const auto [model, settings] = load_qa(record, kShippedAnswers);
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model);
  Loaded float32(MbqWeights::float32), int8(MbqWeights::int8);
  const std::vector<Asked> asked = questions(100);
  size_t same_float = 0, same_int8 = 0;
  double off = 0;  // largest difference of a probability
  for (const Asked& one : asked) {
    const QaSplit split =
        encode_open_question(one.context, one.question, tokenizer, settings.features);
    const QaAnswer exact = answer_question(*model, split, 0, settings, torch::kCPU).at(0);
    const auto same = [&](const infer::Answer& found) {
      return found.begin == exact.begin && found.end == exact.end;
    };
    const infer::Answer by_float = float32.best(one), by_int8 = int8.best(one);
    same_float += same(by_float);
    same_int8 += same(by_int8);
    if (same(by_float)) off = std::max(off, std::abs(by_float.probability - exact.probability));
  }
  INFO("same best answer: float32 " << same_float << ", int8 " << same_int8 << " of "
                                    << asked.size() << "; probability off by " << off);
  CHECK(same_float == asked.size());
  CHECK(off < 1e-4);
  CHECK(same_int8 * 100 >= asked.size() * 95);
}

TEST_CASE("int8 costs the shipped record next to nothing in EM and F1") {
  const AlignedBytes float32(export_record(kShippedAnswers, MbqWeights::float32));
  const AlignedBytes int8(export_record(kShippedAnswers, MbqWeights::int8));
  const AnswerAgreement found =
      measure_answer_agreement(float32.span(), int8.span(), test_questions(), 400, 1);
  INFO("sure " << found.sure << ", right " << found.sure_exact_match << ", others right "
               << found.unsure_exact_match << "; elsewhere " << found.sure_elsewhere);
  INFO("EM " << found.float_exact_match << " float, " << found.int8_exact_match << " int8; F1 "
             << found.float_f1 << ", " << found.int8_f1 << "; same " << found.agreement());
  CHECK(found.questions == 400);
  CHECK(found.int8_exact_match > found.float_exact_match - 1);
  CHECK(found.int8_f1 > found.float_f1 - 1);
  CHECK(found.agreement() > 0.95);
  CHECK(found.shown_exact_match > found.int8_exact_match + 10);  // particles are in no right answer
  CHECK(found.shown_f1 > found.int8_f1);
  // The page's words (answer_figures in words.def).
  CHECK(found.sure_exact_match == Approx(60).margin(6));
  CHECK(found.unsure_exact_match == Approx(20).margin(6));
  CHECK(found.sure_elsewhere == Approx(50).margin(6));
  CHECK(found.sure > found.sure_elsewhere + 20);
}

TEST_CASE("a question longer than the run reads is told, not cut") {
  const RunRecord record = load_record(kShippedAnswers);
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model);
  std::string question;
  for (int i = 0; i < 40; ++i) question += "1443년에 ";
  CHECK_THROWS_WITH(encode_open_question("세종은 왕이다.", question, tokenizer, {}),
                    Catch::Matches("the question is too long: found [0-9]+ pieces, expected at "
                                   "most 64"));
}

}  // namespace minibert

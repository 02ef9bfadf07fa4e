// Answers by word overlap, and what they reach on the official questions.
#include "data/questions/overlap_answer.h"

#include <catch2/catch.hpp>

#include "core/utf8.h"
#include "data/splits/question_data.h"
#include "score/qa_score.h"

using namespace minibert;

namespace {

std::string answered(const std::string& context, const std::string& question) {
  const std::u32string text = to_code_points(context);
  const OverlapAnswer answer = overlap_answer(text, to_code_points(question));
  return to_utf8(std::u32string_view(text).substr(answer.begin, answer.end - answer.begin));
}

const char* const kContext =
    "흥사단은 안창호가 1913년에 샌프란시스코에서 설립한 단체이다. 훈민정음은 세종이 만든 글자이다. "
    "거북선은 이순신이 만든 배이다.";

}  // namespace

TEST_CASE("the answer stands beside what question and context share, without its particle") {
  CHECK(answered(kContext, "훈민정음을 만든 왕은 누구인가?") == "세종");
  CHECK(answered(kContext, "거북선을 만든 사람은?") == "이순신");
}

TEST_CASE("a question for a time or a number is answered with one") {
  CHECK(answered(kContext, "안창호가 흥사단을 설립한 때는 언제인가?") == "1913년");
}

TEST_CASE("every context with a word has an answer, and one without has none") {
  CHECK(answered("서울", "서울은?") == "서울");
  CHECK(answered("한국의 수도", "") == "한국");
  CHECK(answered("", "무엇인가?").empty());
  CHECK(answered(" \n . ", "무엇인가?").empty());
}

TEST_CASE("word overlap reaches EM 16 and F1 26 on the test questions of the official dev file") {
  const KorquadSplits splits =
      load_korquad(choose(Registry::load(), {"korquad-v1-dev-split"}, data_directory()));
  double questions = 0, exact = 0, characters = 0;
  for (const KorquadParagraph& paragraph : splits.test.paragraphs)
    for (const KorquadQuestion& question : paragraph.questions) {
      const std::string answer = answered(paragraph.context, question.question);
      ++questions;
      exact += 100 * best_exact_match(answer, question.answers());
      characters += 100 * best_f1(answer, question.answers());
    }
  INFO(exact / questions << " " << characters / questions);
  CHECK(exact / questions == Approx(16).margin(1));
  CHECK(characters / questions == Approx(26.5).margin(1));
}

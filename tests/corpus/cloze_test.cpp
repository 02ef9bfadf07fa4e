// Questions by rule: what each kind of answer is asked with, and what holds for every question of
// real articles.
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "core/files.h"
#include "core/utf8.h"
#include "corpus/sample.h"
#include "data/made/cloze_answers.h"
#include "data/made/cloze_questions.h"
#include "data/made/cloze_set.h"
#include "data/questions/korquad.h"
#include "data/text_overlap.h"
#include "support/real_data.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::Scratch;

// The answers of a sentence as "kind:text", nouns that recur in it counting as such.
std::set<std::string> answers(std::u32string_view text, const ClozeTopic& topic = {}) {
  const ClozeSentence sentence = parse_sentence(text, 0);
  NounEvidence nouns;
  nouns.add(sentence);
  std::set<std::string> out;
  for (const ClozeAnswer& answer : find_answers(sentence, nouns, CommonNouns(), topic))
    out.insert(to_word(answer.kind) + std::string(":") +
               to_utf8(sentence.text.substr(answer.begin, answer.end - answer.begin)));
  return out;
}

// A question for the first answer of the sentence, for every of twenty seeds.
std::set<std::string> questions(std::u32string_view text) {
  const ClozeSentence sentence = parse_sentence(text, 0);
  const auto found = find_answers(sentence, NounEvidence(), CommonNouns(), {});
  REQUIRE(found.size() == 1);
  std::set<std::string> out;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Rng random(seed);
    if (const auto question = make_question(sentence, found[0], {}, random))
      out.insert(to_utf8(*question));
  }
  return out;
}

bool has_any(const std::string& text, std::initializer_list<const char*> words) {
  return std::ranges::any_of(
      words, [&](const char* word) { return text.find(word) != std::string::npos; });
}

TEST_CASE("answers are dates, numbers, titles, people, places and recurring nouns") {
  using Set = std::set<std::string>;
  CHECK(answers(U"그는 1945년 8월 15일에 귀국하였다.") == Set{"date:1945년 8월 15일"});
  CHECK(answers(U"이 성은 기원전 4세기에 세워졌다.") == Set{"date:기원전 4세기"});
  CHECK(answers(U"2014년 4월 말 시작되었다.").empty());
  CHECK(answers(U"섬에는 3,724명이 산다.") == Set{"count:3,724명"});
  CHECK(answers(U"높이가 2,864m인 산이다.") == Set{"amount:2,864m"});
  CHECK(answers(U"그해 소설 《토지》를 발표하였다.") == Set{"title:토지"});
  CHECK(answers(U"수학자 로저 펜로즈가 고안하였다.") == Set{"person:로저 펜로즈"});
  CHECK(answers(U"당시 이명박 대통령은 반대하였다.") == Set{"person:이명박"});
  CHECK(answers(U"회의는 부산광역시에서 열렸다.") == Set{"place:부산광역시"});
  CHECK(answers(U"판소리는 널리 퍼졌고 그는 판소리를 배웠다.") == Set{"thing:판소리"});
  CHECK(answers(U"그 때문에 비가 때문을 부른다.").empty());
  CHECK(answers(U"김연아는 은퇴하였다.", {U"김연아", U"선수"}) == Set{"person:김연아"});
}

TEST_CASE("parentheses are left out of a sentence, and an answer does not reach over them") {
  const ClozeSentence sentence = parse_sentence(U"삼쇠섬(Samsø)은 섬이다.", 10);
  CHECK(sentence.text == U"삼쇠섬은 섬이다.");
  CHECK(sentence.origin[3] == 10 + 10);
  CHECK(answers(U"그는 1945년(쇼와 20년) 8월에 귀국하였다.") == std::set<std::string>{});
}

TEST_CASE("the question word fits the answer") {
  for (const std::string& q : questions(U"안창호는 동료와 함께 1913년에 흥사단을 설립하였다.")) {
    INFO(q);
    CHECK(has_any(q, {"언제", "몇 년", "해는"}));
  }
  for (const std::string& q : questions(U"오늘날 이 섬에는 주민 3,724명이 모여 살고 있다."))
    CHECK_THAT(q, Contains("몇 명이"));
  for (const std::string& q : questions(U"새로운 규칙은 수학자 로저 펜로즈가 처음 널리 알렸다.")) {
    INFO(q);
    CHECK(has_any(q, {"누가", "누구", "수학자"}));
  }
  for (const std::string& q : questions(U"다음 국제 회의는 가을에 부산광역시에서 다시 열렸다.")) {
    INFO(q);
    CHECK(has_any(q, {"어디", "도시"}));
  }
}

TEST_CASE("an experiment's questions hold what the format promises") {
  if (!testing::has_real_data({"kowiki/kowiki-dev.txt.zst"})) return;
  const Scratch scratch;
  const std::string text = testing::data_folder() + "/kowiki/kowiki-dev.txt.zst";
  const ClozeCounts counts = make_cloze_set({text}, scratch / "a.json", {.count = 3000});
  CHECK(counts.total() == 3000);
  for (const uint64_t kind : counts.questions) CHECK(kind > 20);
  const KorquadSet set = read_korquad(scratch / "a.json");
  CHECK(set.question_count() == 3000);
  CHECK(set.paragraphs.size() == counts.passages);
  size_t wrong_place = 0, gives_away = 0, without_word = 0;
  for (const KorquadParagraph& paragraph : set.paragraphs) {
    const std::u32string context = to_code_points(paragraph.context);
    CHECK(context.size() <= 700);
    for (const KorquadQuestion& question : paragraph.questions) {
      const std::u32string answer = to_code_points(question.answer);
      wrong_place +=
          context.compare(static_cast<size_t>(question.answer_start), answer.size(), answer) != 0;
      gives_away += question.question.find(question.answer) != std::string::npos;
      without_word += !has_any(question.question, {"언제", "몇", "무엇", "누구", "누가", "어디",
                                                   "얼마", "어느", "어떤", "은?", "는?"});
      CHECK(question.question.back() == '?');
    }
  }
  CHECK(wrong_place == 0);
  CHECK(gives_away == 0);
  CHECK(without_word == 0);

  SECTION("whatever the number of threads, and another with another seed") {
    make_cloze_set({text}, scratch / "b.json", {.count = 3000, .threads = 3});
    CHECK(read_file(scratch / "a.json") == read_file(scratch / "b.json"));
    make_cloze_set({text}, scratch / "b.json", {.count = 3000, .seed = 2});
    CHECK(read_file(scratch / "a.json") != read_file(scratch / "b.json"));
  }
  SECTION("without the paragraphs that overlap what is excluded") {
    TextOverlap overlap;
    overlap.add(set.paragraphs[0].context);
    overlap.finish();
    const ClozeCounts fewer =
        make_cloze_set({text}, scratch / "b.json", {.count = 3000, .exclude = &overlap});
    CHECK(fewer.excluded >= 1);
    for (const KorquadParagraph& paragraph : read_korquad(scratch / "b.json").paragraphs)
      CHECK(paragraph.context != set.paragraphs[0].context);
  }
}

TEST_CASE("a text without questions is an error, and what stood there stays") {
  const Scratch scratch;
  write_file_atomically(scratch / "out.json", "old");
  const std::string text = testing::text_file(scratch, "t.txt", "title\nno Korean sentence\n");
  CHECK_THAT(testing::error_of([&] { make_cloze_set({text}, scratch / "out.json", {}); }),
             Contains("t.txt") && Contains("no question"));
  CHECK(read_file(scratch / "out.json") == "old");
}

}  // namespace
}  // namespace minibert

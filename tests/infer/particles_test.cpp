// Particles that are cut off answers and names.
#include "infer/particles.h"

#include <catch2/catch.hpp>

#include "core/utf8.h"
#include "decomposed.h"

using namespace minibert;
using infer::Answer;
using infer::NamedEntity;

namespace {

// A part of the text, by its first place there.
template <class Part>
Part part_of(const std::string& text, const std::string& part) {
  Part out;
  out.text = part;
  out.begin = static_cast<uint32_t>(text.find(part));
  out.end = out.begin + static_cast<uint32_t>(part.size());
  out.first = static_cast<uint32_t>(to_code_points(text.substr(0, out.begin)).size());
  out.last = out.first + static_cast<uint32_t>(to_code_points(part).size());
  return out;
}

std::string answer_in(const std::string& text, const std::string& found) {
  std::vector<Answer> answers = {part_of<Answer>(text, found)};
  infer::cut_particles(text, 5, &answers);
  CHECK(text.substr(answers[0].begin, answers[0].end - answers[0].begin) == answers[0].text);
  return answers[0].text;
}

std::string name_in(const std::string& text, const std::string& found, const std::string& type) {
  std::vector<NamedEntity> entities = {part_of<NamedEntity>(text, found)};
  entities[0].type = type;
  infer::cut_particles(text, &entities);
  return entities[0].text;
}

}  // namespace

TEST_CASE("an answer is given without its particle") {
  CHECK(answer_in("그는 1443년에 창제하였다.", "1443년에") == "1443년");
  CHECK(answer_in("훈민정음을 창제하였다.", "훈민정음을") == "훈민정음");
  CHECK(answer_in("국회는 예산안을 통과시켰다.", "국회는") == "국회");
  CHECK(answer_in("그는 10월 15일에 왔다.", "10월 15일에") == "10월 15일");
  CHECK(answer_in("서울에서는 눈이 왔다.", "서울에서는") == "서울");
}

TEST_CASE("an answer holds no part of a number, and no space at its ends") {
  const std::string text = "빵 1,418개와 143명, 1.5배. 2018,2019년과 2019.3.1 뒤 12,345.6원이다.";
  CHECK(answer_in(text, "1,4") == "1,418");
  CHECK(answer_in(text, "418개와") == "1,418개");
  CHECK(answer_in(text, ",418개") == "1,418개");
  CHECK(answer_in(text, "14") == "143");
  CHECK(answer_in(text, "43명") == "143명");
  CHECK(answer_in(text, "5배") == "1.5배");
  CHECK(answer_in(text, "1.") == "1.5");
  CHECK(answer_in(text, "2018") == "2018");
  CHECK(answer_in(text, "19년과") == "2019년");
  CHECK(answer_in(text, "3.1") == "3.1");
  CHECK(answer_in(text, "5.6") == "12,345.6");
  CHECK(answer_in(text, "345") == "12,345.6");
  CHECK(answer_in(text, " 143명") == "143명");
  CHECK(answer_in(text, "빵 ") == "빵");
  CHECK(answer_in("그는 7", "7") == "7");
}

TEST_CASE("answers that are parts of one number become one") {
  const std::string text = "1443년에 창제하였다.";
  std::vector<Answer> answers = {part_of<Answer>(text, "1443년에"), part_of<Answer>(text, "43년"),
                                 part_of<Answer>(text, " ")};
  answers[0].probability = 0.6;
  answers[1].probability = 0.3;
  infer::cut_particles(text, 5, &answers);
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].text == "1443년");
  CHECK(answers[0].begin == 0);
  CHECK(answers[0].probability == Approx(0.9));
}

TEST_CASE("what only looks like a particle stays") {
  CHECK(answer_in("제주도에서 살았다.", "제주도") == "제주도");     // the word goes on
  CHECK(answer_in("그는 제주도 사람이다.", "제주도") == "제주도");  // 도 ends many nouns
  CHECK(answer_in("가을 하늘이다.", "가을") == "가을");             // 을 follows a consonant alone
  CHECK(answer_in("그는 한국인 작가이다.", "한국인") == "한국인");
  CHECK(answer_in("수도는 서울이다.", "서울") == "서울");
  CHECK(answer_in("은 한 냥", "은") == "은");
  CHECK(answer_in("the end", "the end") == "the end");
}

TEST_CASE("a person's name keeps a syllable that may be its own") {
  CHECK(name_in("이순신은 장군이다.", "이순신은", "PS") == "이순신");
  CHECK(name_in("김정은 위원장이 왔다.", "김정은", "PS") == "김정은");
  CHECK(name_in("홍길은 떠났다. 홍길이 왔다.", "홍길은", "PS") == "홍길");
  CHECK(name_in("판문점에서 만났다.", "판문점에서", "LC") == "판문점");
}

TEST_CASE("in a decomposed text particles are cut as in its composed form") {
  const auto answer = [](const std::string& text, const std::string& found) {
    return answer_in(test::decomposed(text), test::decomposed(found));
  };
  const auto name = [](const std::string& text, const std::string& found) {
    return name_in(test::decomposed(text), test::decomposed(found), "PS");
  };
  CHECK(answer("국회는 예산안을 통과시켰다.", "국회는") == test::decomposed("국회"));
  CHECK(answer("그는 10월 15일에 왔다.", "10월 15일에") == test::decomposed("10월 15일"));
  CHECK(answer("제주도에서 살았다.", "제주도") == test::decomposed("제주도"));
  CHECK(name("이순신은 장군이다.", "이순신은") == test::decomposed("이순신"));
  CHECK(name("김정은 위원장이 왔다.", "김정은") == test::decomposed("김정은"));
  CHECK(name("홍길은 떠났다. 홍길이 왔다.", "홍길은") == test::decomposed("홍길"));
  // 이순신 begins with the jamo of 이수, but not with that name.
  CHECK(name("이수는 떠났다. 이순신이 왔다.", "이수는") == test::decomposed("이수는"));
}

TEST_CASE("an answer in a decomposed text stands at its bytes and at its code points") {
  const std::string text = test::decomposed("국회는 1443년에 예산안을 통과시켰다.");
  std::vector<Answer> answers = {part_of<Answer>(text, test::decomposed("1443년에"))};
  infer::cut_particles(text, 5, &answers);
  const auto wanted = part_of<Answer>(text, test::decomposed("1443년"));
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].text == wanted.text);
  CHECK(answers[0].begin == wanted.begin);
  CHECK(answers[0].end == wanted.end);
  CHECK(answers[0].first == wanted.first);
  CHECK(answers[0].last == wanted.last);
}

TEST_CASE("answers that differ by a particle become one") {
  const std::string text = "1443년에 창제하고 1446년에 반포하였다.";
  std::vector<Answer> answers = {part_of<Answer>(text, "1446년에"),
                                 part_of<Answer>(text, "1443년에"),
                                 part_of<Answer>(text, "1443년")};
  answers[0].probability = 0.4;
  answers[1].probability = 0.3;
  answers[2].probability = 0.25;
  infer::cut_particles(text, 5, &answers);
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].text == "1443년");
  CHECK(answers[0].probability == Approx(0.55));
  CHECK(answers[1].text == "1446년");
  infer::cut_particles(text, 1, &answers);
  CHECK(answers.size() == 1);
}

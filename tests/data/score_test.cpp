// Exact match and F1 against values worked out from the official scorer's rules.
#include <catch2/catch.hpp>

#include "score/qa_score.h"

using namespace minibert;

TEST_CASE("exact match and F1 follow the official KorQuAD scorer") {
  struct Case {
    const char* name;
    const char* prediction;
    const char* gold;
    double exact, f1;
  };
  const Case cases[] = {
      {"equal", "세종대왕", "세종대왕", 1, 1},
      {"nothing in common", "이순신", "세종대왕", 0, 0},
      {"a particle more", "세종대왕은", "세종대왕", 0, 2 * 0.8 / 1.8},
      {"a piece of it", "세종", "세종대왕", 0, 2 * 0.5 / 1.5},
      {"brackets are spaces", "《훈민정음》", "훈민정음", 1, 1},
      {"angle brackets", "〈태극기〉", "<태극기>", 1, 1},
      {"typographic quotes", "‘한글’", "'한글'", 1, 1},
      {"double quotes", "\"한글\"", "한글", 1, 1},
      {"case", "NASA", "nasa", 1, 1},
      {"ASCII punctuation goes", "1,234명", "1234명", 1, 1},
      {"a full stop goes", "서울.", "서울", 1, 1},
      {"Korean punctuation stays", "서울。", "서울", 0, 2 * (2.0 / 3) / (2.0 / 3 + 1)},
      {"white space is collapsed", "대한  민국 ", " 대한 민국", 1, 1},
      {"spaces count for EM, not for F1", "대한민국", "대한 민국", 0, 1},
      {"brackets split words, F1 does not mind", "서울(한양)", "서울 한양", 1, 1},
      {"both empty", "", "", 1, 0},
      {"empty prediction", "", "서울", 0, 0},
      {"only punctuation", "...", "서울", 0, 0},
      {"characters are counted as a bag", "가가나", "가나나", 0, 2.0 / 3},
      {"order does not matter to F1", "나가", "가나", 0, 1},
      {"a hyphen is deleted, not a space", "한-미", "한미", 1, 1},
      {"decomposed jamo are not the syllable", "\u1112\u1161\u11ab", "한", 0, 0},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    CHECK(exact_match(one.prediction, one.gold) == one.exact);
    CHECK(f1(one.prediction, one.gold) == Approx(one.f1).margin(1e-12));
  }
}

TEST_CASE("of several right answers the best counts, for each measure by itself") {
  const std::vector<std::string> answers{"세종", "세종 대왕"};
  CHECK(best_exact_match("세종대왕", answers) == 0);
  CHECK(best_f1("세종대왕", answers) == 1);
  CHECK(best_exact_match("세종", answers) == 1);
  CHECK(best_f1("이순신", answers) == 0);
}

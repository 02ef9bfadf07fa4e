// Classifiers that a class teaches, on the page's small model.
#include "infer/teach.h"

#include <catch2/catch.hpp>

#include "core/files.h"
#include "export/mbq_export.h"

using namespace minibert;
using namespace minibert::test;
using infer::TeachResult;

namespace {

const std::string kLessons =
    "날씨: 오늘은 아침부터 비가 많이 온다.\n날씨: 내일은 맑고 바람이 분다.\n날씨: 어제는 눈이 "
    "내려서 추웠다.\n"
    "날씨: 여름에는 장마가 길다.\n날씨: 하늘에 구름이 많다.\n날씨: 기온이 크게 떨어졌다.\n"
    "음식：점심에 김치찌개를 먹었다.\n음식\t빵과 우유를 샀다.\n음식: 라면을 끓여 먹자.\n"
    "\n음식: 사과가 아주 달다.\n음식: 엄마가 만든 국이 맛있다.\n음식: 저녁에는 고기를 구웠다.\n";

TeachResult taught(const std::string& lessons, const std::string& asked, bool learn = true) {
  const AlignedBytes file(read_file("wasm_demo/models/everyday-1m.mbq"));
  infer::AnyModel model;
  REQUIRE(model.load(file.span()).ok());
  infer::Teacher teacher;
  TeachResult result;
  const infer::Status status = teacher.teach(&model, lessons, asked, learn, &result);
  INFO(status.message());
  REQUIRE(status.ok());
  return result;
}

}  // namespace

TEST_CASE("logistic regression finds the weights that scikit-learn finds") {
  const std::vector<std::vector<float>> rows = {{1, 0, 1},      {.8f, .3f, 1},  {.9f, -.2f, 1},
                                                {-.5f, 1, 1},   {-.7f, .9f, 1}, {.1f, -1, 1},
                                                {-.2f, -.8f, 1}};
  // LogisticRegression(C=1 / (0.05 * 7), fit_intercept=False, tol=1e-12) of scikit-learn 1.9.1
  const std::vector<float> expected = {1.63984f, .31214f,  .07298f,   -1.0165f, 1.14833f,
                                       -.09977f, -.62334f, -1.46047f, .0268f};
  const std::vector<float> found = infer::fit_logistic(rows, {0, 0, 0, 1, 1, 2, 2}, 3, 0.05f);
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).margin(2e-4));
}

TEST_CASE("twelve sentences teach a classifier that labels a sentence and weighs its words") {
  const std::string asked = "아침에 비가 오고 바람이 분다.";
  const TeachResult result = taught(kLessons, asked);
  REQUIRE(result.labels.size() == 2);
  CHECK(result.labels[0].label == "날씨");
  CHECK(result.labels[1].label == "음식");
  CHECK(result.labels[1].sentences == 6);
  REQUIRE(result.learnt);
  CHECK(result.right + result.wrong.size() == 12);
  CHECK(result.right >= 8);
  REQUIRE(result.guess.size() == 2);
  CHECK(result.guess[0].label == "날씨");
  CHECK(result.guess[0].probability + result.guess[1].probability == Approx(1));
  REQUIRE(result.words.size() == 5);
  CHECK(asked.substr(result.words[1].begin, result.words[1].end - result.words[1].begin) == "비가");
  CHECK(result.words[1].probability < result.guess[0].probability);
}

TEST_CASE(
    "too few or too many labels or sentences teach nothing, and a line without a label is told") {
  CHECK_FALSE(taught(kLessons, "", false).learnt);
  const TeachResult unread = taught("날씨: 비가 온다.\n\n비가 온다.\n", "");
  CHECK(unread.unread_line == 3);
  CHECK_FALSE(unread.learnt);
  for (const std::string& lessons :
       {std::string("가: 비.\n가: 눈.\n가: 해.\n"), std::string("가: 비.\n나: 눈.\n"),
        std::string("가: 비\n나: 눈\n다: 해\n라: 달\n마: 별\n")})
    CHECK_FALSE(taught(lessons, "비").learnt);
}

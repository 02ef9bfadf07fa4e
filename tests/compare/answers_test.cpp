// A comparison for people: the small table, and a sentence for each question.
#include "compare/answers.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "compare/compare.h"
#include "compare/sample_runs.h"
#include "words/phrases.h"

namespace minibert {
namespace {

using testing::Experiment;
using testing::finished_run;
using testing::kMeasures;

// A floor with one run, an arm with one and an arm with two; which examples are right is by example.
Comparison compared(Experiment& e) {
  RunRecord floor = finished_run("overlap", 1, {1, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 1});
  floor.summary["parameters"] = 0;
  e.add(floor);
  RunRecord lstm = finished_run("lstm", 1, {0, 0, 1, 0, 0, 0}, {0, 0.5, 1, 0, 0, 0});
  lstm.summary["train_seconds"] = 90;
  e.add(lstm);
  e.add(finished_run("bert", 1, {1, 1, 1, 0, 1, 1}, {1, 1, 1, 0.5, 1, 1}));
  e.add(finished_run("bert", 2, {1, 1, 1, 1, 0, 1}, {1, 1, 1, 1, 0, 1}));
  return compare_runs(e.paths, kMeasures);
}

TEST_CASE("the first table has arms best first, floors last, and no more than four figures") {
  Experiment e;
  CHECK(render_summary(compared(e), kMeasures, SIZE_MAX) ==
        R"(arm                              parameters            EM            F1  minutes
bert                             10,541,056  83.33 ± 0.00  87.50 ± 5.89
lstm                              6,301,234         16.67         25.00      1.5
overlap (floor: learns nothing)           0         33.33         33.33
)");
}

TEST_CASE("each question that was run has one sentence") {
  Experiment e;
  const std::vector<Question> questions = {
      {"bert", "lstm"}, {"lstm", "overlap"}, {"bert", "overlap"}, {"bert", "not run"}};
  const std::vector<Answer> found = answers(compared(e), questions, kMeasures);
  REQUIRE(found.size() == 3);
  CHECK_THAT(found[0].text,
             Catch::StartsWith("bert is 66.7 points of EM better than lstm (") &&
                 Catch::EndsWith(" over other examples; one training of lstm, so its other seeds "
                                 "are not measured)."));
  CHECK(found[0].single == std::vector<std::string>{"lstm"});
  CHECK_THAT(found[1].text,
             Catch::StartsWith("lstm and overlap are not told apart in EM: -16.7 points ("));
  CHECK(found[2].single.empty());
  CHECK_THAT(found[0].korean,
             Catch::StartsWith(
                 "bert의 EM은 lstm보다 66.7점 높습니다 (문항이 달라질 때의 95 % 신뢰구간 ") &&
                 Catch::EndsWith(", lstm의 학습은 한 번뿐이라 시드에 따른 차이는 알 수 없음)."));
  CHECK_THAT(
      found[1].korean,
      Catch::StartsWith("lstm의 EM이 overlap보다 높다고도 낮다고도 할 수 없습니다: -16.7점 ("));
  CHECK_THAT(found[2].korean, Catch::Contains("문항과 시드가 달라질 때의 95 % 신뢰구간 "));
  CHECK_THAT(found[2].text, Catch::Contains("overlap") &&
                                Catch::EndsWith(" over other examples and with other seeds)."));
}

TEST_CASE("of a measure that is better when lower, a verdict says less or more") {
  Experiment e;
  const Comparison c = compared(e);
  Measure lower = kMeasures[1];  // EM, as if it were a loss
  lower.better = Better::lower, lower.heading = "MLM loss";
  const Answer worse = answers(c, std::vector<Question>{{"bert", "lstm"}}, {&lower, 1}).at(0),
               better = answers(c, std::vector<Question>{{"lstm", "bert"}}, {&lower, 1}).at(0);
  CHECK_THAT(worse.text, Catch::StartsWith("bert has 66.7 points more MLM loss than lstm ("));
  CHECK_THAT(better.text, Catch::StartsWith("lstm has 66.7 points less MLM loss than bert ("));
  CHECK_THAT(better.korean,
             Catch::StartsWith("lstm의 MLM 손실은 bert보다 66.7점 낮습니다. 낮을수록 좋습니다 ("));
}

TEST_CASE("a particle fits the word before it, read as in Korean") {
  const std::pair<const char*, const char*> kSaid[] = {{"정확도", "정확도는"},
                                                       {"EM", "EM은"},
                                                       {"F1", "F1은"},
                                                       {"mAP", "mAP는"},
                                                       {"\"x\"", "\"x\"는"}};
  for (const auto& [value, said] : kSaid) {
    const std::string told =
        phrase("{0} is {1} of {2} better than {3}", {"a", "1", value, "b"}, Language::korean);
    CHECK(told == std::string("a의 ") + said + " b보다 1 높습니다");
  }
  CHECK(phrase("no such row", {}, Language::korean) == "no such row");
}

TEST_CASE("lines of errors and notes are told in the program's language") {
  CHECK(told("a.h5: no such file") == "a.h5: no such file");
  set_language(Language::korean);
  const std::pair<const char*, const char*> kTold[] = {
      {"a.h5: no such file", "a.h5: 그런 파일이 없습니다"},
      {"a.h5: no such file at all", "a.h5: no such file at all"},
      {"", ""},
      {"x/bag-s1: learnt nothing: train/loss was 0 at every step, so no example had a target",
       "x/bag-s1: 배운 것이 없습니다. train/loss가 모든 스텝에서 0이었으니, 정답이 있는 문항이 "
       "없었습니다"},
      {"a.h5: its dev f1 was 0.25 after each of 3 epochs",
       "a.h5: 개발 데이터(dev)의 f1이 3에폭 내내 0.25였습니다"},
      {"a.h5: is measured by nothing: none of 20 examples has a target",
       "a.h5: 문항 20개에 정답이 하나도 없어 잴 수 없습니다"},
      {"a.h5: predicts nothing for all 20 examples", "a.h5: 문항 20개에 아무것도 답하지 않습니다"},
      {"a.h5: predicts \"false\" for all 20 examples",
       "a.h5: 문항 20개의 답이 모두 \"false\"입니다"},
      {"lstm does not beat overlap, which learns nothing, in EM (5.40, 15.93): train longer or "
       "bring more examples",
       "lstm은 EM에서 아무것도 배우지 않는 overlap보다 낫지 않습니다(5.40, 15.93). 더 오래 "
       "학습하거나 "
       "문항을 늘리세요"},
      {"one.json: max_flops: found 9, expected no such key: it was removed in 0.2.0 (CHANGELOG.md "
       "names what to use instead)",
       "one.json: max_flops: 0.2.0에서 없어진 키입니다(값 9). 대신 쓸 것은 CHANGELOG.md에 "
       "있습니다"}};
  for (const auto& [english, korean] : kTold) CHECK(told(english) == korean);
  set_language(Language::english);
}

TEST_CASE("an arm that does not beat the best floor is told, where both are of one experiment") {
  Experiment e;
  const std::string told =
      "lstm does not beat overlap, which learns nothing, in EM (16.67, 33.33): train longer or "
      "bring more examples";
  Comparison c = compared(e);
  CHECK(std::ranges::count(c.warnings, told) == 1);
  CHECK(floor_notes(c, kMeasures) == std::vector<std::string>{told});
  for (ArmSummary& arm : c.arms)
    if (arm.arm == "lstm") arm.figures.at("exact_match").mean = 100.0 / 3;  // not above
  CHECK(floor_notes(c, kMeasures).size() == 1);
  for (ArmSummary& arm : c.arms)
    if (arm.is_floor) arm.experiment = "another";
  CHECK(floor_notes(c, kMeasures).empty());
}

TEST_CASE("a question may stand the other way round than the table's difference") {
  Experiment e;
  const Comparison c = compared(e);
  const Answer there = answers(c, std::vector<Question>{{"bert", "lstm"}}, kMeasures).at(0),
               back = answers(c, std::vector<Question>{{"lstm", "bert"}}, kMeasures).at(0);
  CHECK(back.interval.difference == -there.interval.difference);
  CHECK(back.interval.low == -there.interval.high);
  CHECK_THAT(back.text, Catch::StartsWith("lstm is 66.7 points of EM worse than bert ("));
}

}  // namespace
}  // namespace minibert

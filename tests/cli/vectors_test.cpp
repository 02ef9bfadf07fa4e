// `minibert nsp`, `embed` and `attention` with the shipped models.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::kShippedModel;
using testing::run_program;
using testing::Scratch;

const std::string kRun = std::string(" --run ") + kShippedModel + " ";
const std::string kQuestions = testing::kShippedAnswers;
const std::string kWithoutWeights = "results/klue_ner/quick-2-core/lstm-s1.h5";

json told(const std::string& arguments) {
  const auto result = run_program(arguments);
  INFO(result.err);
  REQUIRE(result.status == 0);
  return json::parse(result.out);
}

std::string refusal(const std::string& arguments) {
  const auto result = run_program(arguments);
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  return result.err;
}

double sum(const json& numbers) {
  double total = 0;
  for (const json& number : numbers) total += number.get<double>();
  return total;
}

}  // namespace

TEST_CASE("nsp gives the probability that two texts are in the right order") {
  const std::string first = "'서울특별시는 대한민국의 수도이다.'",
                    second = "'이곳의 인구는 천만 명에 가깝다.'";
  const json ordered = told("nsp" + kRun + first + " " + second + " --json");
  CHECK(ordered.at("sentence_task") == "swap");
  const double probability = ordered.at("probability");
  CHECK((probability > 0 && probability < 1));
  // The introduction of an article comes first.
  CHECK(probability > told("nsp" + kRun + second + " " + first + " --json").at("probability"));
  const auto shown = run_program("nsp" + kRun + first + " " + second);
  CHECK_THAT(shown.out, Contains("in the right order") && Contains("changed places"));
}

TEST_CASE("nsp says in one line what is wrong") {
  CHECK(refusal("nsp" + kRun + "가 ''") == "minibert: SECOND: the text is empty\n");
  CHECK(refusal("nsp" + kRun + "'' 가") == "minibert: FIRST and SECOND: the text is empty\n");
  std::string text;
  for (int i = 0; i < 400; ++i) text += " 가";
  CHECK_THAT(refusal("nsp" + kRun + "가 '" + text + "'"),
             Contains("FIRST and SECOND: the text is too long: found ") &&
                 Contains("expected at most 384"));
  CHECK_THAT(refusal("nsp --run " + kQuestions + " 가 나"),
             Contains("/config: task: found \"korquad\", expected pretrain"));
}

TEST_CASE("embed gives a vector a piece, of [CLS] and of a word") {
  const json one = told("embed" + kRun + "'서울은 수도이다.' --word 수도 --json");
  const size_t size = one.at("pieces").size();
  CHECK(one.at("pieces").front().at("piece") == "[CLS]");
  CHECK(one.at("pieces").back().at("piece") == "[SEP]");
  REQUIRE(one.at("hidden").size() == size);
  for (const json& vector : one.at("hidden")) CHECK(vector.size() == 160);
  CHECK(one.at("pooled").size() == 160);
  for (const json& value : one.at("pooled")) CHECK(std::abs(value.get<double>()) <= 1);
  // The word's vector is the mean over the pieces that hold its bytes (10 to 16).
  std::vector<double> mean(160);
  double count = 0;
  for (size_t i = 0; i < size; ++i) {
    const json& piece = one.at("pieces")[i];
    if (piece.at("begin") >= 16 || piece.at("end") <= 10) continue;
    ++count;
    for (size_t k = 0; k < 160; ++k) mean[k] += one.at("hidden")[i][k].get<double>();
  }
  REQUIRE(count > 0);
  for (size_t k = 0; k < 160; ++k)
    CHECK(one.at("word").at("vector")[k].get<double>() == Approx(mean[k] / count).margin(1e-5));
}

TEST_CASE("embed tells how far a sentence changes a word") {
  const std::string command = "embed" + kRun + "--word 배 ";
  const auto cosine = [&](const std::string& texts) {
    const auto result = run_program(command + texts);
    CHECK(result.status == 0);
    const size_t at = result.out.rfind('\n', result.out.size() - 2);
    CHECK_THAT(result.out.substr(at), Contains("cosine of 배 in both"));
    return std::stod(result.out.substr(at));
  };
  CHECK(cosine("'배를 타고 갔다.' '배를 타고 갔다.'") == Approx(1));
  CHECK(cosine("'배를 타고 바다로 갔다.' '배를 깎아 먹었다.'") < 0.999);
  const auto lines = run_program(command + "'배를 타다' '배를 먹다' --json").out;
  CHECK(json::parse(lines.substr(lines.rfind("\n{") + 1)).contains("cosine"));
}

TEST_CASE("embed reads any layer, and runs of any task") {
  const std::string text = "'서울은 수도이다.' --json";
  const json last = told("embed" + kRun + text),
             second = told("embed" + kRun + "--layer 2 " + text);
  const json first = told("embed" + kRun + "--layer 1 " + text);
  CHECK(second.at("hidden") == last.at("hidden"));
  CHECK(first.at("hidden") != last.at("hidden"));
  CHECK(first.at("pooled") == last.at("pooled"));
  const json questions = told("embed --run " + kQuestions + " " + text);
  CHECK(questions.at("hidden").size() == questions.at("pieces").size());
  CHECK_FALSE(questions.contains("pooled"));
}

TEST_CASE("embed says in one line what is wrong") {
  CHECK(refusal("embed" + kRun + "'서울은 수도이다.' --word 부산") ==
        "minibert: --word: found no \"부산\" in \"서울은 수도이다.\"\n");
  CHECK(refusal("embed" + kRun + "'' ") == "minibert: TEXT: the text is empty\n");
  CHECK(refusal("embed" + kRun + "\"$(printf '\\377')\"") ==
        "minibert: TEXT: the text is not valid UTF-8 at byte 0\n");
  CHECK(refusal("embed" + kRun + "가 ''") == "minibert: TEXT 2: the text is empty\n");
  CHECK(refusal("embed" + kRun + "가 --layer 3") ==
        "minibert: --layer: found 3, expected a number from 0 to 2\n");
  CHECK(run_program("embed --run " + kWithoutWeights + " 가").err ==
        "minibert: " + kWithoutWeights + ": /weights: is empty (a record without weights)\n");
}

TEST_CASE("attention gives shares that add up, of a layer and head or their average") {
  const std::string text = "'서울은 대한민국의 수도이다.' --json";
  const json average = told("attention" + kRun + text);
  CHECK(average.at("layer") == 2);
  CHECK(average.at("head") == "average");
  const size_t size = average.at("pieces").size();
  REQUIRE(average.at("attention").size() == size);
  std::vector<json> heads;
  for (int head = 1; head <= 4; ++head)
    heads.push_back(told("attention" + kRun + text + " --layer 2 --head " + std::to_string(head)));
  for (size_t i = 0; i < size; ++i) {
    CHECK(sum(average.at("attention")[i]) == Approx(1).margin(1e-4));
    for (size_t j = 0; j < size; ++j) {
      double mean = 0;
      for (const json& head : heads) mean += head.at("attention")[i][j].get<double>() / 4;
      CHECK(average.at("attention")[i][j].get<double>() == Approx(mean).margin(1e-6));
    }
  }
  CHECK(told("attention" + kRun + text + " --layer 1").at("attention") != average.at("attention"));
  // As a table: a heading and a line a piece.
  const auto shown = run_program("attention" + kRun + "'서울은 대한민국의 수도이다.'");
  CHECK(shown.status == 0);
  CHECK_THAT(shown.out, Contains("[CLS]") && Contains("[SEP]"));
}

TEST_CASE("attention says in one line what is wrong") {
  CHECK(refusal("attention" + kRun + "''") == "minibert: TEXT: the text is empty\n");
  CHECK(refusal("attention" + kRun + "가 --layer 3") ==
        "minibert: --layer: found 3, expected a number from 1 to 2\n");
  CHECK(refusal("attention" + kRun + "가 --head 5") ==
        "minibert: --head: found 5, expected a number from 1 to 4\n");
  CHECK_THAT(refusal("attention" + kRun + "가 --layer 0"), Contains("--layer"));
}

}  // namespace minibert

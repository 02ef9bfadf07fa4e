// The engine's answers as the page reads them.
#include "state/messages.h"

#include <catch2/catch.hpp>

using namespace minibert::page;

namespace infer = minibert::infer;

namespace {

template <class Result>
Result result(const char* json) {
  Result out;
  read(Json::parse(json), &out);
  return out;
}

}  // namespace

TEST_CASE("a message has what a model answered, or an error") {
  const auto message = read_message(R"({"model":"m","revision":7,"answers":[{"kernel":"k"},[1]]})");
  REQUIRE(message);
  CHECK(message->model == "m");
  CHECK(message->revision == 7);
  CHECK(message->error.empty());
  REQUIRE(message->answers.size() == 2);
  CHECK(message->answers[0]["kernel"] == "k");
  const auto failed = read_message(R"({"model":"m","answers":[],"error":{"ko":"김","en":"long"}})");
  REQUIRE(failed);
  CHECK(failed->error.in(Language::english) == "long");
  for (const char* bad : {"", "{", "[]", "3", "null"}) CHECK_FALSE(read_message(bad));
}

TEST_CASE("guesses are read") {
  const auto fill = result<infer::FillResult>(R"({"tokens":[{"id":5,"piece":"[CLS]"},
    {"id":6,"piece":"[MASK]","begin":0,"end":6}],"masks":[{"position":1,"begin":0,"end":6,
    "guesses":[{"id":99,"piece":"▁서울","text":"서울","probability":0.25}]}],
    "timing":{"tokenize_ms":0.1,"encoder_ms":1.5,"output_ms":0.2},"kernel":"wasm-simd128"})");
  REQUIRE(fill.tokens.size() == 2);
  CHECK(fill.tokens[1].end == 6);
  REQUIRE(fill.masks.size() == 1);
  CHECK(fill.masks[0].position == 1);
  CHECK(fill.masks[0].guesses[0].text == "서울");
  CHECK(fill.masks[0].guesses[0].probability == 0.25f);
  CHECK(fill.timing.encoder_ms == 1.5);
}

TEST_CASE("answers, labels and names are read with their places") {
  const auto answers = result<infer::AnswerResult>(R"({"answers":[
    {"text":"1446년에","begin":3,"end":8,"probability":0.5},{"text":"한","begin":0,"end":1,"probability":0.25}],
    "timing":{"tokenize_ms":0.5,"encoder_ms":1.5,"output_ms":2}})");
  REQUIRE(answers.answers.size() == 2);
  CHECK(answers.answers[0].text == "1446년에");
  CHECK(answers.answers[0].end == 8);
  CHECK(answers.answers[1].probability == 0.25);
  CHECK(answers.timing.output_ms == 2);
  const auto labels =
      result<infer::ClassifyResult>(R"({"labels":[{"label":"positive","probability":0.75},
    {"label":"negative","probability":0.25}],"several":true,"words":[{"begin":1,"end":3,"probability":0.5},7],"pieces":9,"read":8})");
  CHECK(labels.labels[1].label == "negative");
  CHECK(labels.several);
  CHECK(labels.given() == std::vector<std::string>{"positive"});
  REQUIRE(labels.words.size() == 1);
  CHECK(labels.words[0].end == 3);
  CHECK(labels.pieces == 9);
  CHECK(labels.read == 8);
  const auto names = result<infer::TagResult>(
      R"({"entities":[{"type":"PS","text":"세종","begin":0,"end":2,"probability":0.5}]})");
  CHECK(names.entities[0].type == "PS");
  CHECK(names.entities[0].text == "세종");
  CHECK(names.entities[0].end == 2);
}

TEST_CASE("what is of another form keeps its default") {
  const auto fill = result<infer::FillResult>(
      R"({"tokens":{},"masks":[1,{"position":"x","guesses":[null]}],"filled":3,"timing":[]})");
  CHECK(fill.tokens.empty());
  REQUIRE(fill.masks.size() == 1);
  CHECK(fill.masks[0].position == 0);
  CHECK(fill.masks[0].guesses.empty());
  CHECK(fill.filled.empty());
}

TEST_CASE("models are read with their state") {
  const auto models = read_models(
      R"([{"id":"a","name":"A","task":"answers","state":"loading","progress":0.5,"facts":[["parameters","1"],["x"]],"shape":{"ko":"층 2개","en":"2 layers"}},
          {"id":"b","name":"B","state":"failed","teaching":true,"large":true,"series":false,"error":{"ko":"없음","en":"gone"}}])");
  REQUIRE(models);
  CHECK(models->at(0).state == ModelState::loading);
  CHECK(models->at(0).facts.size() == 1);
  CHECK(models->at(0).task == "answers");
  CHECK(models->at(0).shape.in(Language::korean) == "층 2개");
  CHECK_FALSE(models->at(0).teaching);
  CHECK(models->at(1).teaching);
  CHECK(models->at(1).large);
  CHECK_FALSE(models->at(0).large);
  CHECK_FALSE(models->at(1).series);
  CHECK(models->at(1).task.empty());
  CHECK(models->at(1).error.in(Language::korean) == "없음");
  CHECK(models->at(1).error.in(Language::english) == "gone");
  for (const char* bad : {"", "{}", "[1]", "null", R"([{"id":"a","state":"lost"}])"})
    CHECK_FALSE(read_models(bad));
}

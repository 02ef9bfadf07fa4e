// The engine's answers as the page reads them.
#include "state/messages.h"

#include <catch2/catch.hpp>

using namespace minibert::page;

TEST_CASE("an answer is read") {
  const auto fill = read_fill(R"({"model":"m","revision":7,"tokens":[{"id":5,"piece":"[CLS]"},
    {"id":6,"piece":"[MASK]","begin":0,"end":6}],"masks":[{"position":1,"begin":0,"end":6,
    "guesses":[{"id":99,"piece":"▁서울","text":"서울","probability":0.25}]}],
    "timing":{"tokenize_ms":0.1,"encoder_ms":1.5,"output_ms":0.2},"kernel":"wasm-simd128"})");
  REQUIRE(fill);
  CHECK(fill->revision == 7);
  REQUIRE(fill->masks.size() == 1);
  CHECK(fill->masks[0].position == 1);
  CHECK(fill->masks[0].guesses[0].text == "서울");
  CHECK(fill->masks[0].guesses[0].probability == 0.25f);
  CHECK(fill->encoder_ms == 1.5);
  CHECK(fill->kernel == "wasm-simd128");
}

TEST_CASE("answers to a question are read") {
  const auto answers = read_answers(R"({"model":"m","revision":7,"answers":[
    {"text":"1446년에","begin":3,"end":8,"probability":0.5},{"text":"한","begin":0,"end":1,"probability":0.25}],
    "timing":{"tokenize_ms":0.5,"encoder_ms":1.5,"output_ms":2},"kernel":"wasm-simd128"})");
  REQUIRE(answers);
  CHECK(answers->revision == 7);
  REQUIRE(answers->answers.size() == 2);
  CHECK(answers->answers[0].text == "1446년에");
  CHECK(answers->answers[0].end == 8);
  CHECK(answers->answers[1].probability == 0.25f);
  CHECK(answers->total_ms == 4);
  CHECK(read_answers(R"({"error":{"ko":"김","en":"long"}})")->error.in(Language::english) ==
        "long");
  CHECK_FALSE(read_answers("[]"));
}

TEST_CASE("a question without each of its words is read") {
  const auto view = read_left_out(R"({"revision":7,"answer":"1446년에","probability":0.5,"rows":[
    {"word":"언제","answer":"한글","probability":0.125},{"word":"누가"}]})");
  REQUIRE(view);
  CHECK(view->revision == 7);
  CHECK(view->answer == "1446년에");
  REQUIRE(view->rows.size() == 2);
  CHECK(view->rows[0].word == "언제");
  CHECK(view->rows[0].answer == "한글");
  CHECK(view->rows[0].probability == 0.125f);
  CHECK(view->rows[1].probability == 0);
  CHECK_FALSE(read_left_out("[]"));
}

TEST_CASE("labels with their words and names with their places are read") {
  const auto labels =
      read_labels(R"({"model":"m","revision":3,"labels":[{"label":"positive","probability":0.75},
    {"label":"negative","probability":0.25}],"words":[{"begin":1,"end":3,"probability":0.5},7],"pieces":9,"read":8,
    "timing":{"tokenize_ms":1,"encoder_ms":2,"output_ms":0},"kernel":"k"})");
  REQUIRE(labels);
  CHECK(labels->revision == 3);
  CHECK(labels->labels[1].label == "negative");
  REQUIRE(labels->words.size() == 1);
  CHECK(labels->words[0].end == 3);
  CHECK(labels->weighed);
  CHECK(labels->pieces == 9);
  CHECK(labels->read == 8);
  CHECK(labels->total_ms == 3);
  CHECK_FALSE(read_labels(R"({"labels":[]})")->weighed);
  const auto names =
      read_names(R"({"revision":4,"entities":[{"type":"PS","text":"세종","begin":0,"end":2,
    "probability":0.5}],"error":{"ko":"김","en":"long"}})");
  REQUIRE(names);
  CHECK(names->entities[0].type == "PS");
  CHECK(names->entities[0].text == "세종");
  CHECK(names->entities[0].end == 2);
  CHECK(names->error.in(Language::english) == "long");
  CHECK_FALSE(read_names("[]"));
  CHECK_FALSE(read_labels("3"));
}

TEST_CASE("models are read with their state") {
  const auto models = read_models(
      R"([{"id":"a","name":"A","task":"answers","state":"loading","progress":0.5,"facts":[["parameters","1"],["x"]]},
          {"id":"b","name":"B","state":"failed","error":{"ko":"없음","en":"gone"}}])");
  REQUIRE(models);
  CHECK(models->at(0).state == ModelState::loading);
  CHECK(models->at(0).facts.size() == 1);
  CHECK(models->at(0).task == Task::ask);
  CHECK(models->at(1).task == Task::fill);
  CHECK(models->at(1).error.in(Language::korean) == "없음");
  CHECK(models->at(1).error.in(Language::english) == "gone");
}

TEST_CASE("another form is no answer") {
  for (const char* bad : {"", "{", "[]", "3", "null"}) CHECK_FALSE(read_fill(bad));
  for (const char* bad : {"", "{}", "[1]", "null"}) CHECK_FALSE(read_models(bad));
  CHECK_FALSE(read_tokens("{}"));
  const auto fill = read_fill(R"({"revision":"x","tokens":{},"masks":[1],"timing":[]})");
  REQUIRE(fill);
  CHECK(fill->masks.empty());
}

TEST_CASE("attention is one head or the mean of all") {
  AttentionView attention;
  attention.tokens.resize(2);
  attention.layers = 1;
  attention.heads = 2;
  attention.weights = {1, 0, 0.5f, 0.5f, 0, 1, 0.5f, 0.5f};
  CHECK(attention.at(0, 0, 0, 0) == 1);
  CHECK(attention.at(0, 1, 0, 1) == 1);
  CHECK(attention.at(0, -1, 0, 0) == 0.5f);
}

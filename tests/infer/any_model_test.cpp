// The last states of a text in a model of any task.
#include "infer/any_model.h"

#include <catch2/catch.hpp>

#include "infer/explain.h"
#include "random_model.h"

using namespace minibert;
using namespace minibert::test;
using infer::AnyModel;
using nlohmann::json;

namespace {

const std::string kEmbedded = "나는 학교에 간다. 한국은 나라이다.";

struct AnyLoaded {
  AlignedBytes file;
  AnyModel model;
  explicit AnyLoaded(const std::string& bytes) : file(bytes) {
    const auto status = model.load(file.span());
    INFO(status.message());
    REQUIRE(status.ok());
  }
};

}  // namespace

TEST_CASE("a text's vectors are what the output head reads of every token, to the bit") {
  for (const json& changes : {json::object(), json{{"norm", "pre"}, {"position", "relative"}}}) {
    const AlignedBytes file(random_mbq(small_model(changes), MbqWeights::int8));
    AnyModel model;
    REQUIRE(model.load(file.span()).ok());
    infer::FillMask filler;
    REQUIRE(filler.load(file.span()).ok());
    for (const std::string& text : {kEmbedded, std::string("나라 [MASK]이다.")}) {
      std::vector<infer::Token> tokens;
      std::span<const float> states;
      REQUIRE(model.embed(text, &tokens, &states).ok());
      std::vector<infer::Token> read;
      REQUIRE(filler.attend(text, &read).ok());
      const std::span<const float> expected = filler.engine().hidden();
      REQUIRE(tokens.size() == read.size());
      REQUIRE(states.size() == tokens.size() * static_cast<size_t>(model.model().config().d_model));
      CHECK(std::equal(states.begin(), states.end(), expected.begin(), expected.end()));
      // Where no norm comes behind the last layer they are the states that explain shows.
      if (changes.contains("norm")) continue;
      infer::Explanation explanation;
      REQUIRE(explain(filler, text, 1, &explanation).ok());
      const std::span<const float> all = explanation.trace.states_LSD;
      CHECK(std::equal(states.begin(), states.end(), all.end() - std::ptrdiff_t(states.size())));
    }
  }
}

TEST_CASE("a model of every task gives vectors, of the text between [CLS] and [SEP]") {
  for (const std::string& bytes :
       {random_headed_mbq(classifying_model(), classifying_head(), MbqWeights::int8),
        random_headed_mbq(tagging_model(), tagging_head(), MbqWeights::int8),
        random_answering_mbq(answering_model(small_answers()), small_answers(),
                             MbqWeights::int8)}) {
    AnyLoaded loaded(bytes);
    std::vector<infer::Token> own, tokens;
    std::span<const float> states;
    REQUIRE(loaded.model.tokenize(kEmbedded, &own).ok());
    REQUIRE(loaded.model.embed(kEmbedded, &tokens, &states).ok());
    REQUIRE(tokens.size() == own.size() + 2);
    CHECK(tokens.front().piece == "[CLS]");
    CHECK(tokens.back().piece == "[SEP]");
    for (size_t i = 0; i < own.size(); ++i) CHECK(tokens[i + 1].id == own[i].id);
    CHECK(states.size() ==
          tokens.size() * static_cast<size_t>(loaded.model.model().config().d_model));
  }
}

TEST_CASE("vectors of an empty text, or of one that is too long, are refused") {
  for (const std::string& bytes :
       {random_mbq(small_model(), MbqWeights::int8),
        random_headed_mbq(tagging_model(), tagging_head(), MbqWeights::int8)}) {
    AnyLoaded loaded(bytes);
    std::vector<infer::Token> tokens;
    std::span<const float> states;
    CHECK(loaded.model.embed("", &tokens, &states).problem() == infer::Problem::empty_text);
    std::string longer;
    for (int i = 0; i < 400; ++i) longer += "나라 ";
    const auto status = loaded.model.embed(longer, &tokens, &states);
    CHECK(status.problem() == infer::Problem::text_too_long);
    CHECK(status.message().find("expected at most") != std::string::npos);
    CHECK_FALSE(loaded.model.embed("\xff", &tokens, &states).ok());
  }
}

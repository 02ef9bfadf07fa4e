// Questions and texts in, spans out: the same windows as in training, places, kernels, errors.
#include "infer/answerer.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "core/utf8.h"
#include "data/questions/qa_features.h"
#include "decomposed.h"
#include "random_model.h"
#include "rules/span_decode.h"

using namespace minibert;
using namespace minibert::test;
using infer::Answer;
using infer::Answerer;
using infer::AnswerResult;
using nlohmann::json;

namespace {

const std::string kContext =
    "세종은 조선의 제4대 왕이다. 1443년에 훈민정음을 만들었고 1446년에 펴냈다. "
    "집현전의 학자들이 왕을 도왔으며, 장영실은 물시계를 만들었다. 조선의 수도는 한양이었다.";
const std::string kQuestion = "훈민정음을 만든 왕은 누구인가?";

struct LoadedAnswerer {
  AlignedBytes file;
  Answerer model;
  explicit LoadedAnswerer(const json& answers = small_answers(),
                          const json& changes = json::object(), MbqWeights type = MbqWeights::int8)
      : file(random_answering_mbq(answering_model(answers, changes), answers, type)) {
    const auto status = model.load(file.span());
    INFO(status.message());
    REQUIRE(status.ok());
  }
  AnswerResult answer(const std::string& question, const std::string& context, size_t top = 10) {
    AnswerResult result;
    const auto status = model.answer(question, context, top, &result);
    INFO(status.message());
    REQUIRE(status.ok());
    return result;
  }
  infer::Status error(const std::string& question, const std::string& context) {
    AnswerResult result;
    return model.answer(question, context, 3, &result);
  }
};

// The question as the features of training have it, answered window by window.
std::vector<Span> by_features(const LoadedAnswerer& loaded, const QaSplit& split) {
  const infer::AnswerConfig& config = *loaded.model.model().config().answers;
  infer::Engine engine(loaded.model.model());
  const std::span<const float> lengths = loaded.model.model().answer_lengths;
  std::vector<std::vector<Span>> spans;
  for (const QaWindow& window : covering_windows(split, 0, config.features)) {
    std::vector<int32_t> ids;
    std::vector<uint8_t> segments;
    append_window(split, window, &ids, &segments);
    REQUIRE(engine.encode(ids, segments).ok());
    const std::span<const float> logits = engine.span_logits();
    REQUIRE(logits.size() == 2 * ids.size());
    std::vector<float> start, end;
    for (uint32_t i = 0; i < window.count; ++i) {
      start.push_back(logits[2 * (context_offset(split, window) + i)]);
      end.push_back(logits[2 * (context_offset(split, window) + i) + 1]);
    }
    spans.push_back(
        best_spans(start.data(), end.data(), window.count, window.first, config.spans, lengths));
  }
  return combine_spans(spans, config.spans);
}

QaSplit features_of(const std::string& question, const std::string& context,
                    const QaFeatureSettings& settings) {
  // The features want an answer; any character that is no space is one.
  const std::u32string text = to_code_points(context);
  const size_t first = text.find_first_not_of(U" \t\r\n\u202f");
  KorquadSet set;
  set.paragraphs.push_back(
      {"",
       context,
       {{"q", question, to_utf8(text.substr(first, 1)), static_cast<int64_t>(first)}}});
  return encode_questions(set, Tokenizer::from_bytes(sample_tokenizer()), settings, 1);
}

void check_same(const std::vector<Answer>& a, const std::vector<Answer>& b) {
  REQUIRE(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].text == b[i].text);
    CHECK(a[i].begin == b[i].begin);
    CHECK(a[i].probability == b[i].probability);
  }
}

}  // namespace

TEST_CASE("answers are those that the features of training give, to the bit") {
  // Texts that normalization changes, with characters of one to several pieces and none.
  std::vector<std::string> contexts = {kContext};
  std::ifstream lines("tests/wasm_engine/lines.txt");
  std::string line, all;
  while (std::getline(lines, line)) {
    if (first_invalid_utf8(line) != kValid) continue;
    all += line + "\n";
    if (line.find_first_not_of(" \t\r") != std::string::npos) contexts.push_back(line);
  }
  contexts.push_back(all);
  const json shaped = {{"position", "relative"}, {"local_layers", 1}, {"conv", 3},
                       {"ffn", "geglu"},         {"head_gate", true}, {"norm", "pre"}};
  const json factorized = {{"embedding_size", 20}, {"mlm_transform", true}, {"mlm_bias", true}};
  for (const json& changes : {json::object(), shaped, factorized})
    for (const bool overlap : {false, true}) {
      LoadedAnswerer loaded(small_answers({{"overlap", overlap}}), changes);
      const infer::AnswerConfig& config = *loaded.model.model().config().answers;
      for (const std::string& context : contexts)
        for (const std::string& question : {kQuestion, std::string("㎏ 龍은 {}?")}) {
          CAPTURE(changes.dump(), overlap, context, question);
          const QaSplit split = features_of(question, context, config.features);
          AnswerResult result;
          const auto status = loaded.model.answer(question, context, 10, &result);
          if (split.contexts[0].ids.empty()) {
            CHECK(status.problem() == infer::Problem::empty_text);
            continue;
          }
          REQUIRE(status.ok());
          const auto expected = by_features(loaded, split);
          CHECK(result.context_pieces == split.contexts[0].ids.size());
          CHECK(result.windows == covering_windows(split, 0, config.features).size());
          REQUIRE(result.answers.size() == expected.size());
          for (size_t i = 0; i < expected.size(); ++i) {
            const Answer& found = result.answers[i];
            CHECK(found.text == span_text(split, 0, expected[i].start, expected[i].end));
            CHECK(found.begin == split.contexts[0].begin[expected[i].start]);
            CHECK(found.probability == expected[i].probability);
          }
        }
    }
}

TEST_CASE("an answer stands at its bytes and at its characters") {
  LoadedAnswerer loaded;
  const std::string context = "😀 大韓民國은 한국이다. é Å　" + kContext;
  const std::u32string characters = to_code_points(context);
  const AnswerResult result = loaded.answer(kQuestion, context);
  REQUIRE(result.answers.size() == 10);
  double total = 0;
  for (const Answer& answer : result.answers) {
    CHECK(context.substr(answer.begin, answer.end - answer.begin) == answer.text);
    CHECK(to_utf8(characters.substr(answer.first, answer.last - answer.first)) == answer.text);
    total += answer.probability;
  }
  CHECK(total == Approx(1));
  CHECK(result.windows > 1);
}

TEST_CASE("a decomposed question and text are answered as their composed forms") {
  LoadedAnswerer loaded(small_answers({{"overlap", true}}));
  const AnswerResult expected = loaded.answer(kQuestion, kContext);
  for (const std::string& question : {kQuestion, decomposed(kQuestion)})
    for (const std::string& context : {kContext, decomposed(kContext)}) {
      const std::u32string characters = to_code_points(context);
      const AnswerResult result = loaded.answer(question, context);
      REQUIRE(result.answers.size() == expected.answers.size());
      for (size_t i = 0; i < result.answers.size(); ++i) {
        const Answer &answer = result.answers[i], &same = expected.answers[i];
        CHECK(answer.probability == same.probability);
        CHECK(decomposed(answer.text) == decomposed(same.text));
        CHECK(context.substr(answer.begin, answer.end - answer.begin) == answer.text);
        CHECK(to_utf8(characters.substr(answer.first, answer.last - answer.first)) == answer.text);
      }
    }
}

TEST_CASE("how many answers are asked for does not change how probable they are") {
  LoadedAnswerer loaded;
  const AnswerResult ten = loaded.answer(kQuestion, kContext);
  AnswerResult two = loaded.answer(kQuestion, kContext, 2);
  REQUIRE(two.answers.size() == 2);
  check_same(two.answers, {ten.answers.begin(), ten.answers.begin() + 2});
  // More than the model compares: it compares more.
  CHECK(loaded.answer(kQuestion, kContext, 30).answers.size() == 30);
  CHECK(loaded.answer(kQuestion, kContext, 0).answers.empty());
}

TEST_CASE("questions and texts that cannot be read are told apart") {
  LoadedAnswerer loaded;
  const auto check = [&](const std::string& question, const std::string& context,
                         infer::Problem problem, const std::string& message) {
    const auto status = loaded.error(question, context);
    CHECK(status.problem() == problem);
    CHECK(status.message() == message);
  };
  using infer::Problem;
  check("", kContext, Problem::empty_question, "the question is empty");
  check(" \t\n", kContext, Problem::empty_question, "the question is empty");
  check(kQuestion, "", Problem::empty_text, "the text is empty");
  check(kQuestion, " \n ", Problem::empty_text, "the text is empty");
  check("\xff", kContext, Problem::other, "the question is not valid UTF-8");
  check(kQuestion, "가\xed\xa0\x80", Problem::other, "the text is not valid UTF-8");
  std::string question = "1";
  for (int i = 0; i < 20; ++i) question += " 2";
  const auto status = loaded.error(question, kContext);
  CHECK(status.problem() == Problem::question_too_long);
  CHECK_THAT(status.message(), Catch::Matches("the question is too long: found [0-9]+ pieces, "
                                              "expected at most 16"));
}

TEST_CASE("a question that may be cut is read as far as training reads it") {
  LoadedAnswerer loaded;
  std::string question;
  for (int i = 0; i < 10; ++i) question += kQuestion + " ";
  const QaSplit split =
      features_of(question, kContext, loaded.model.model().config().answers->features);
  REQUIRE(split.examples[0].question_is_cut);
  AnswerResult result;
  REQUIRE(loaded.model.answer(question, kContext, 10, &result, LongQuestion::cut).ok());
  const std::vector<Span> expected = by_features(loaded, split);
  REQUIRE(result.answers.size() == expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    CHECK(result.answers[i].text == span_text(split, 0, expected[i].start, expected[i].end));
    CHECK(result.answers[i].probability == expected[i].probability);
  }
}

TEST_CASE("weights so extreme that nothing can be compared are an error") {
  const json answers = small_answers(), model = answering_model(answers);
  const MbqHead head = {"answers", answers};
  // With the bias each logit is finite, and the sum of two is not.
  for (const std::string name : {"qa.weight", "qa.bias"}) {
    INFO(name);
    auto weights = random_weights(model, 1, 0.2, head);
    for (NamedTensor& weight : weights)
      if (weight.name == name)
        for (float& value : weight.values) value = 3e38f;
    const AlignedBytes file(make_mbq(sample_source(model, head), weights, MbqWeights::int8));
    Answerer answerer;
    REQUIRE(answerer.load(file.span()).ok());
    AnswerResult result;
    CHECK(answerer.answer(kQuestion, kContext, 3, &result).message() ==
          "the model's weights give numbers that are not finite");
  }
}

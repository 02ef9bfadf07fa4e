// What the loader refuses of files that answer questions.
#include <catch2/catch.hpp>
#include <cmath>

#include "change_file.h"
#include "infer/answerer.h"
#include "load_error.h"
#include "random_model.h"

using namespace minibert;
using namespace minibert::test;
using nlohmann::json;

namespace {

const std::string& answering_file() {
  static const std::string bytes = [] {
    const json answers = small_answers();
    const json model =
        answering_model(answers, {{"d_model", 16}, {"embedding_size", 16}, {"d_ff", 24}});
    return random_answering_mbq(model, answers, MbqWeights::int8);
  }();
  return bytes;
}

std::string with_answers(const std::string& key, const json& value) {
  return changed_json(answering_file(), "answers", key, value);
}

std::string with_answering_model(const std::string& key, const json& value) {
  return changed_json(answering_file(), "model", key, value);
}

const json kNothing(json::value_t::discarded);

}  // namespace

TEST_CASE("a file that answers questions says so, and loads as nothing else") {
  const std::string& good = answering_file();
  CHECK(header_of(good)["__metadata__"]["version"] == "3");
  CHECK(header_of(good)["qa.weight"]["dtype"] == "F32");
  CHECK(header_of(good)["qa.length"]["shape"] == json{5});
  CHECK(header_of(good)["bert.embeddings.segment.weight"]["shape"] == json{4, 16});
  CHECK(load_error(good) == "the model answers questions, expected one that fills masks");

  const AlignedBytes file(good), other(random_mbq(small_model(), MbqWeights::int8));
  infer::Answerer model;
  CHECK(model.load(other.span()).message() ==
        "the model fills masks, expected one that answers questions");
  REQUIRE(model.load(file.span()).ok());
  CHECK(model.model().config().answers->lengths == 5);
  CHECK(model.model().answer_lengths.size() == 5);
}

TEST_CASE("broken files that answer questions are errors that say what is wrong") {
  const std::string& good = answering_file();
  const auto text = [&](const char* key, const json& value) {
    return changed_metadata(good, key, value);
  };
  struct Case {
    std::string name, file, expected;
  };
  const std::vector<Case> cases = {
      {"version 2", text("version", "2"), "found \"2\", expected \"3\" for this architecture"},
      {"version 4", text("version", "4"), "__metadata__.version: found \"4\""},
      {"no answers", text("answers", kNothing), "model.segments: found 4, expected 2"},
      {"answers no JSON", text("answers", "{"), "answers: found no JSON object"},
      {"a key of the future", with_answers("no_answer", 1),
       "answers.no_answer: found a key that this program does not know"},
      {"length missing", with_answers("max_length", kNothing), "answers.max_length: found nothing"},
      {"length more than positions", with_answers("max_length", 65),
       "answers.max_length: found 65, expected an integer from 24 to 64"},
      {"length without room beside the question", with_answers("max_length", 23),
       "answers.max_length: found 23"},
      {"question negative", with_answers("max_question", -1), "answers.max_question: found -1"},
      {"question longer than a window", with_answers("max_question", 60), "answers.max_length"},
      {"stride zero", with_answers("stride", 0), "answers.stride: found 0"},
      {"answer of no piece", with_answers("max_answer", 0), "answers.max_answer: found 0"},
      {"no best", with_answers("n_best", 0), "answers.n_best: found 0"},
      {"overlap a number", with_answers("overlap", 1), "answers.overlap: found 1"},
      {"no overlap, its segments there", with_answers("overlap", false),
       "model.segments: found 4, expected 2"},
      {"two segments with overlap", with_answering_model("segments", 2),
       "model.segments: found 2, expected 4"},
      {"lengths others than there are", with_answering_model("answer_lengths", 6),
       "found shape [5], expected [6]"},
      {"no lengths promised", with_answering_model("answer_lengths", 0), "tensors, expected"},
      {"span head NaN", changed_float(good, "qa.weight", NAN), "not finite"},
      {"half the data", good.substr(0, good.size() / 2), "data_offsets"},
  };
  for (const Case& item : cases) {
    const std::string message = load_error(item.file);
    INFO(item.name << ": " << message);
    CHECK_THAT(message, Catch::Contains(item.expected));
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.size() < 400);
  }
}

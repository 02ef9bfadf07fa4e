// A question answering model's knowledge of answer lengths.
#include "task/qa/qa_model.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace minibert {
namespace {

ModelConfig small(const std::string& kind) {
  nlohmann::json model = {{"kind", kind}, {"vocab_size", 20}, {"d_model", 8}};
  if (kind == "bert") model.update({{"n_heads", 2}, {"d_ff", 16}, {"n_layers", 1}});
  return model_config_from_json(model, "a test's model");
}

}  // namespace

TEST_CASE("length scores are the smoothed log frequencies of the training answers' lengths") {
  for (const char* kind : {"bert", "lstm_qa"}) {
    CAPTURE(kind);
    QaModel model(small(kind), 3);
    model.initialize(1);
    model.head().set_answer_lengths({1, 2, 2, 2, 5});  // five pieces count as three
    const std::vector<float> scores = model.head().length_scores();
    REQUIRE(scores.size() == 3);
    CHECK(scores[0] == Approx(std::log(2.0 / 8)));
    CHECK(scores[1] == Approx(std::log(4.0 / 8)));
    CHECK(scores[2] == Approx(std::log(2.0 / 8)));
  }
}

TEST_CASE("length scores lie with the weights and are not trained") {
  QaModel model(small("bert"), 3);
  const auto parameters = model.named_parameters();
  REQUIRE(parameters.contains("qa.length"));
  CHECK_FALSE(parameters["qa.length"].requires_grad());
}

TEST_CASE("a model without answer_lengths counts all lengths alike") {
  QaModel model(small("lstm_qa"), 0);
  model.initialize(1);
  model.head().set_answer_lengths({1, 2});
  CHECK(model.head().length_scores().empty());
  CHECK_FALSE(model.named_parameters().contains("qa.length"));
}

}  // namespace minibert

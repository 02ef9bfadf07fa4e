// The engine's activations as the page reads them.
#include "explain_view.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "settings.h"

using namespace minibert::page;

namespace {

// Two tokens, one layer, two heads of size 1, embeddings of 2, three units; one mask with two fitting
// pieces.
const char* kJson =
    R"({"tokens":[{"piece":"a","id":1,"begin":0,"end":1},{"piece":"[MASK]","id":6,"begin":1,"end":7}],
        "layers":1,"heads":2,"d_model":2,"d_ff":3,"embedding_size":2,"share_layers":true,
        "masks":[{"position":1,"fitting":2,"stages":[[],[{"text":"x","logit":1,"probability":0.73}]]}]})";

std::vector<float> numbers() {
  std::vector<float> all;
  for (int i = 0; i < 12; ++i) all.push_back(static_cast<float>(i));  // token, position, segment
  for (int i = 0; i < 8; ++i) all.push_back(100.0f + i);              // states
  for (int i = 0; i < 12; ++i) all.push_back(200.0f + i);             // queries, keys, values
  for (const float unit : {0.f, 0.f, 0.f, 0.5f, -2.f, 1.f}) all.push_back(unit);
  for (const float weight : {1.f, 0.f, 0.25f, 0.75f, 1.f, 0.f, 0.5f, 0.5f}) all.push_back(weight);
  for (const float logit : {1.f, 0.f}) all.push_back(logit);
  return all;
}

}  // namespace

TEST_CASE("an explanation's numbers are found by name") {
  const auto view = ExplainView::read(kJson, numbers());
  REQUIRE(view);
  CHECK(view->shared);
  CHECK(view->position(1)[0] == 6);
  CHECK(view->segment(0)[1] == 9);
  CHECK(view->state(1, 1)[1] == 107);
  CHECK(view->attention(0, 1, 1, 0) == 0.5f);
  CHECK(view->attention(0, kMeanHead, 1, 1) == 0.625f);
  const auto rows = view->head_rows(0, 0, 1);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].to == 1);
  CHECK(rows[0].product == 206.0f * 208.0f);
  CHECK(rows[1].product == 206.0f * 202.0f);
  CHECK(rows[1].value == 204.0f);
  const auto units = view->strongest_units(0, 1, 2);
  REQUIRE(units.size() == 2);
  CHECK(units[0].unit == 1);
  CHECK(units[0].value == -2);
  CHECK(units[1].unit == 2);
}

TEST_CASE("the temperature sharpens and evens out") {
  const std::vector<float> logits = {1, 0, -1};
  CHECK(probability_at(1, logits, 1) ==
        Approx(std::exp(1.0) / (std::exp(1.0) + 1 + std::exp(-1.0))));
  CHECK(probability_at(1, logits, 0.25f) > probability_at(1, logits, 1));
  CHECK(probability_at(1, logits, 3) < probability_at(1, logits, 1));
}

TEST_CASE("an explanation of another form is none") {
  auto all = numbers();
  CHECK_FALSE(ExplainView::read("", all));
  CHECK_FALSE(ExplainView::read("{}", all));
  CHECK_FALSE(ExplainView::read(R"({"tokens":[],"masks":[]})", all));
  all.pop_back();
  CHECK_FALSE(ExplainView::read(kJson, all));
  CHECK_FALSE(ExplainView::read(kJson, {}));
}

// The engine's activations as the page reads them.
#include "state/explain_view.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "state/settings.h"

using namespace minibert::page;

namespace {

// Two tokens, one layer, two heads of size 1, embeddings of 2, three units; one mask with two fitting
// pieces.
const char* kJson =
    R"({"tokens":[{"piece":"a","id":1,"begin":0,"end":1},{"piece":"[MASK]","id":6,"begin":1,"end":7}],
        "layers":1,"heads":2,"d_model":2,"d_ff":3,"embedding_size":2,"share_layers":true,
        "masks":[{"position":1,"fitting":2,"stages":[[],[{"text":"x","logit":1,"probability":0.73}]],
        "path":[{"rank":2,"probability":0.25},{"rank":1,"probability":0.5},{"rank":1,"probability":0.73}]}]})";

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
  CHECK(view->width == 2);
  CHECK(view->contribution(0, 1, 1, 0) == 0.5f);
  CHECK(view->contribution(0, 0, 1, 1) == 0.75f);
  // Each head's weight times the length of its value.
  const double from_a = std::hypot(0.25 * 204, 0.5 * 205),
               from_b = std::hypot(0.75 * 210, 0.5 * 211);
  CHECK(view->contribution(0, kAllHeads, 1, 0) == Approx(from_a / (from_a + from_b)));
  REQUIRE(view->masks[0].path.size() == 3);
  CHECK(view->masks[0].path[0].rank == 2);
  CHECK(view->masks[0].path[1].probability == 0.5f);
  CHECK(view->masks[0].stages[1][0].text == "x");
}

TEST_CASE("a number that JSON could not write is read as 0") {
  std::string json = kJson;
  for (const std::string number : {"\"probability\":0.73", "\"probability\":0.25"})
    json.replace(json.find(number), number.size(), number.substr(0, number.find(':')) + ":null");
  const auto view = ExplainView::read(json, numbers());
  REQUIRE(view);
  const ExplainedMaskView& mask = view->masks.at(0);
  CHECK(mask.stages.at(1).at(0).text == "x");
  CHECK(mask.stages.at(1).at(0).probability == 0);
  CHECK(mask.path.at(0).rank == 2);
  CHECK(mask.path.at(0).probability == 0);
}

TEST_CASE("a model of every shape is read by name") {
  // Two tokens, a local layer of three taps and one of two heads with offsets and gates; no mask.
  const char* json =
      R"({"tokens":[{"piece":"a","id":1,"begin":0,"end":1},{"piece":"b","id":2,"begin":1,"end":2}],
          "layers":2,"local_layers":1,"local_taps":3,"heads":2,"d_model":2,"d_ff":1,"embedding_size":1,
          "relative_position":true,"conv":3,"geglu":true,"head_gate":true,"masks":[]})";
  std::vector<float> all;
  for (int i = 0; i < 4; ++i) all.push_back(static_cast<float>(i));            // token, segment
  for (int i = 0; i < 12; ++i) all.push_back(100.0f + static_cast<float>(i));  // states
  for (const float tap : {0.f, 3.f, 1.f, 2.f, 6.f, 0.f}) all.push_back(tap);
  for (int i = 0; i < 12; ++i)
    all.push_back(200.0f + static_cast<float>(i));  // queries, keys, values
  for (const float bias : {-1.f, 0.f, 1.f, -2.f, 0.5f, 2.f}) all.push_back(bias);
  for (const float gate : {1.f, 0.f, 0.25f, 0.75f}) all.push_back(gate);
  for (int i = 0; i < 4; ++i) all.push_back(300.0f + static_cast<float>(i));  // units
  for (const float weight : {1.f, 0.f, 0.5f, 0.5f, 0.f, 1.f, 0.2f, 0.8f}) all.push_back(weight);
  const auto view = ExplainView::read(json, all);
  REQUIRE(view);
  CHECK(view->is_local(0));
  CHECK_FALSE(view->is_local(1));
  CHECK(view->contribution(0, kAllHeads, 1, 0) == 0.25f);
  CHECK(view->contribution(0, 1, 1, 1) == 0.75f);  // a layer without heads
  CHECK(view->contribution(1, 1, 1, 0) == 0.2f);
  // Each head's weight times the length of its value, by its gate.
  const double from_a = std::hypot(0.25 * 0.5 * 204, 0.75 * 0.2 * 205);
  const double from_b = std::hypot(0.25 * 0.5 * 210, 0.75 * 0.8 * 211);
  CHECK(view->contribution(1, kAllHeads, 1, 0) == Approx(from_a / (from_a + from_b)));
  all.pop_back();
  CHECK_FALSE(ExplainView::read(json, all));
}

TEST_CASE("an explanation whose numbers of layers cannot be is none") {
  const auto with = [](const std::string& key, int value) {
    std::string json = kJson;
    return json.insert(1, "\"" + key + "\":" + std::to_string(value) + ",");
  };
  CHECK(ExplainView::read(with("local_layers", 0), numbers()));
  CHECK_FALSE(ExplainView::read(with("local_layers", 2), numbers()));
  CHECK_FALSE(ExplainView::read(with("local_layers", -1), numbers()));
  CHECK_FALSE(ExplainView::read(with("local_taps", -1), numbers()));
}

TEST_CASE("equal names are told apart by numbers, others stay") {
  CHECK(numbered({"나는", "왕", "나는", "이", "나는"}) ==
        std::vector<std::string>{"나는(1)", "왕", "나는(2)", "이", "나는(3)"});
  CHECK(numbered({}).empty());
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

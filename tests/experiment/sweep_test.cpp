// One arm as many: every combination, a drawn part of them, and what is no sweep.
#include "experiment/sweep.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/error.h"

namespace minibert {
namespace {

using nlohmann::json;

json swept(const json& sweep) {
  json root = {{"seeds", {1}},
               {"arms",
                {{{"name", "lstm"}, {"train", {{"epochs", 2}}}},
                 {{"name", "bert"}, {"train", {{"epochs", 2}}}}}},
               {"sweep", sweep}};
  expand_sweep(&root, "x.json");
  CHECK_FALSE(root.contains("sweep"));
  return root;
}

std::vector<std::string> names(const json& root) {
  std::vector<std::string> out;
  for (const json& arm : root["arms"]) out.push_back(arm["name"]);
  return out;
}

TEST_CASE("an arm gives way to one for each combination of its values") {
  const json root = swept({{"arms[bert].train.optimizer.lr", {1e-4, 5e-4}},
                           {"arms[1].model.kind", {"bert", "lstm/x"}},
                           {"seed", {1, 2, 3}}});
  CHECK(names(root) ==
        std::vector<std::string>{"lstm", "bert-kindbert-lr0.0001", "bert-kindbert-lr0.0005",
                                 "bert-kindlstm_x-lr0.0001", "bert-kindlstm_x-lr0.0005"});
  CHECK(root["seeds"] == json({1, 2, 3}));
  CHECK(root["arms"][4]["train"] == json({{"epochs", 2}, {"optimizer", {{"lr", 5e-4}}}}));
  CHECK(root["arms"][4]["model"]["kind"] == "lstm/x");
  CHECK(root["arms"][0]["train"] == json({{"epochs", 2}}));
}

TEST_CASE("of more combinations than the budget so many are drawn, always the same") {
  const json sweep = {{"arms[0].train.epochs", {1, 2, 3, 4, 5, 6}},
                      {"arms[0].train.patience", {1, 2, 3, 4, 5}},
                      {"budget", 7}};
  const json root = swept(sweep);
  const auto drawn = names(root);
  CHECK(drawn.size() == 8);  // and the arm that is not swept
  CHECK(std::set<std::string>(drawn.begin(), drawn.end()).size() == 8);
  CHECK(swept(sweep) == root);
}

TEST_CASE("what is no sweep is refused with its key") {
  CHECK_THROWS_WITH(swept({{"arms[gpt].train.epochs", json::array({1})}}),
                    "x.json: sweep.arms[gpt].train.epochs: there is no arm \"gpt\"");
  CHECK_THROWS_WITH(
      swept({{"features.max_length", json::array({1})}}),
      Catch::StartsWith("x.json: sweep.features.max_length: expected arms[NAME].KEY"));
  CHECK_THROWS_WITH(swept({{"seed", json::array()}}),
                    "x.json: sweep.seed: expected a list of values");
  CHECK_THROWS_WITH(swept({{"budget", 0}}),
                    "x.json: sweep.budget: found 0, expected a whole number from 1");
  CHECK_THROWS_WITH(swept(json::array()), "x.json: sweep: expected an object");
  json without = {{"arms", json::array()}};
  expand_sweep(&without, "x.json");
  CHECK(without == json({{"arms", json::array()}}));
}

}  // namespace
}  // namespace minibert

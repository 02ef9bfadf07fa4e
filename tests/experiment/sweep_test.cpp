// One arm as many: every combination, a drawn part of them, and what is no sweep.
#include "experiment/sweep.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/error.h"
#include "experiment/overrides.h"

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

// The arms that the text of a file gives way to.
json swept_arms(const std::string& text) {
  json root = json::parse(text);
  expand_sweep(&root, "x.json");
  return root["arms"];
}

// Returns the error of a sweep of `key` over two arms, the second of which has a name that is no
// text.
std::string sweep_mistake(const std::string& key) {
  try {
    swept_arms(R"({"arms": [{"name": "a", "train": {"phases": [{"epochs": 1}]}}, {"name": 5}],
                   "sweep": {")" +
               key + R"(": [1]}})");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST_CASE("a sweep reaches into lists, by the keys that --set takes") {
  const json arms = swept_arms(R"({
    "arms": [{"name": "a.b", "train": {"phases": [{"epochs": 1, "n_seq": 64}, {"epochs": 2}]}}],
    "sweep": {"arms[a.b].train.phases[0].epochs": [3, 4], "arms[0].train.phases[1]": [{"epochs": 9}]}
  })");
  REQUIRE(arms.size() == 2);
  CHECK(arms[1]["name"] == "a.b-phases__epochs__9_-epochs4");
  CHECK(arms[1]["train"]["phases"] ==
        json::parse(R"([{"epochs": 4, "n_seq": 64}, {"epochs": 9}])"));
  CHECK(arms[0]["train"]["phases"][0]["epochs"] == 3);
  json set = json::parse(R"({"arms": [{"name": "a", "train": {"phases": [{"epochs": 1}]}}]})");
  apply_override(&set, "arms[a].train.phases[0].epochs=3");
  CHECK(set["arms"][0]["train"]["phases"][0]["epochs"] == 3);
}

TEST_CASE("a key of a sweep that leads nowhere gets one line that names it") {
  CHECK(sweep_mistake("arms[a].name.x") == "x.json: sweep.arms[a].name.x: name is not an object");
  CHECK(sweep_mistake("arms[a].name.x.y") ==
        "x.json: sweep.arms[a].name.x.y: there is no \"x\" in name");
  CHECK(sweep_mistake("arms[a].train.phases[2].epochs") ==
        "x.json: sweep.arms[a].train.phases[2].epochs: train.phases has 1 entries, found index 2");
  CHECK(sweep_mistake("arms[a].train.phase[0].epochs") ==
        "x.json: sweep.arms[a].train.phase[0].epochs: there is no \"phase\" in train, did you mean "
        "\"phases\"?");
  CHECK_THAT(sweep_mistake("arms[a]"), Catch::Contains("expected arms[NAME].KEY"));
  CHECK_THAT(sweep_mistake("arms[a]."), Catch::Contains("expected arms[NAME].KEY"));
  CHECK_THAT(sweep_mistake("arms[b].train"), Catch::EndsWith("there is no arm \"b\""));
}

TEST_CASE("an arm's name that is no text is left for whoever reads the arm") {
  const std::string text =
      R"({"arms": [{"name": 5, "train": {}}], "sweep": {"arms[0].train.epochs": [1, 2]}})";
  CHECK(swept_arms(text)[1] == json::parse(R"({"name": 5, "train": {"epochs": 2}})"));
  json root = json::parse(text);
  CHECK_THROWS_WITH(apply_override(&root, "arms[bert].train.epochs=1"),
                    Catch::Contains("there is no \"bert\" in arms"));
  const json patch = json::parse(R"({"arms": [{"name": 6}, 7]})");
  CHECK_THROWS_WITH(merge_patch(&root, patch, "x.json", "", NewNames::refused),
                    "x.json: arms: there is no 6 to change");
  merge_patch(&root, patch, "x.json", "", NewNames::added);
  CHECK(root["arms"] == json::parse(R"([{"name": 5, "train": {}}, {"name": 6}, 7])"));
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

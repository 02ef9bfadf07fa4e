// Experiment files: profiles, overrides, and one clear line for everything that is wrong.
#include "experiment/config.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "experiment/tiny.h"
#include "record/scratch.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

ExperimentConfig load(const std::string& text, std::vector<std::string> overrides = {},
                      const std::string& profile = "quick") {
  const Scratch scratch;
  write_bytes(scratch / "tiny.json", text);
  return load_experiment(scratch / "tiny.json", profile, overrides);
}

std::string message_of(const std::string& text, std::vector<std::string> overrides = {},
                       const std::string& profile = "quick") {
  try {
    load(text, std::move(overrides), profile);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("an experiment file is read with its defaults") {
  const ExperimentConfig experiment = load(tiny_experiment("bert"));
  REQUIRE(experiment.arms.size() == 1);
  CHECK(experiment.arms[0].qa.features.max_length == 192);
  CHECK(experiment.arms[0].qa.spans.max_answer == 30);
  CHECK(experiment.arms[0].train.optimizer.lr == 5e-4);
  CHECK(experiment.protocol == "standard");
}

TEST_CASE("the shipped experiments are valid in each of their profiles") {
  for (const std::string name : {"korquad_lstm_vs_bert", "kowiki_mini_bert"}) {
    const std::string path = experiment_path(name);
    for (const std::string profile : {"full", "quick"}) {
      const ExperimentConfig experiment = load_experiment(path, profile, {});
      CHECK(experiment.name == name);
      CHECK_FALSE(experiment.arms.empty());
    }
  }
}

TEST_CASE("a profile changes arms by name and can leave one out") {
  const std::string text = R"({
    "name": "two", "task": "korquad", "data": ["sample"], "tokenizer": {"data": ["sample"]},
    "seeds": [1, 2],
    "arms": [{"name": "a", "model": {"kind": "lstm_qa", "d_model": 8}, "train": {"epochs": 3}},
             {"name": "b", "model": {"kind": "lstm_qa", "d_model": 8}}],
    "profiles": {"quick": {"seeds": [7], "arms": [{"name": "a", "train": {"epochs": 1}},
                                                   {"name": "b", "skip": true}]}}})";
  const ExperimentConfig experiment = load(text);
  REQUIRE(experiment.arms.size() == 1);
  CHECK(experiment.arms[0].train.epochs == 1);
  CHECK(experiment.arms[0].model.at("d_model") == 8);
  CHECK(experiment.seeds == std::vector<int64_t>{7});
}

TEST_CASE("--set reaches into lists by index and by name") {
  const std::string text = tiny_experiment("bert");
  CHECK(load(text, {"arms[0].train.epochs=7"}).arms[0].train.epochs == 7);
  CHECK(load(text, {"arms[bert].train.optimizer={\"lr\":0.1}"}).arms[0].train.optimizer.lr == 0.1);
  CHECK(load(text, {"protocol=course"}).protocol == "course");
}

TEST_CASE("what a run stores makes the same experiment again") {
  const ExperimentConfig first =
      load(tiny_experiment("bert"), {"arms[0].train.optimizer={\"lr\":0.01}"});
  const nlohmann::json stored = to_json(first, first.arms[0], 1);
  const ExperimentConfig second = experiment_from_json(stored, "record", "quick");
  CHECK(to_json(second, second.arms[0], 1) == stored);
  const ExperimentConfig pretraining = load(tiny_experiment("pretrain"));
  const nlohmann::json other = to_json(pretraining, pretraining.arms[0], 1);
  const ExperimentConfig again = experiment_from_json(other, "record", "quick");
  CHECK(to_json(again, again.arms[0], 1) == other);
}

TEST_CASE("a wrong experiment file gets one line that names the key") {
  struct Case {
    const char* name;
    const char* override_;
    const char* expected;
  };
  const Case cases[] = {
      {"unknown key", "arms[0].model.d_modle=8",
       "arms[0].model.d_modle: unknown key, did you mean \"d_model\"?"},
      {"unknown top key", "sedes=[1]", "sedes: unknown key, did you mean \"seeds\"?"},
      {"wrong type", "arms[0].train.epochs=\"many\"",
       "arms[0].train.epochs: found \"many\", expected a whole number"},
      {"fraction for a whole number", "arms[0].train.epochs=1.5",
       "found 1.5, expected a whole number"},
      {"negative size", "arms[0].model.d_model=-4",
       "arms[0].model.d_model: found -4, expected a whole number from 1"},
      {"heads that do not divide", "arms[0].model.n_heads=3",
       "arms[0].model.n_heads: found 3, expected a divisor of d_model 32"},
      {"dropout over one", "arms[0].model.dropout=1.5",
       "arms[0].model.dropout: found 1.5, expected a number from 0 to 0.9"},
      {"unknown kind", "arms[0].model.kind=gpt",
       "arms[0].model.kind: found \"gpt\", expected one of: bert, lstm_qa"},
      {"unknown optimizer", "arms[0].train.optimizer={\"type\":\"sgd\"}",
       "arms[0].train.optimizer.type: found \"sgd\", expected one of: adam, adamw"},
      {"patience without a monitor", "arms[0].train.monitor=none",
       "arms[0].train.monitor: found \"none\""},
      {"window beyond the positions", "arms[0].model.max_positions=100",
       "arms[0].model.max_positions: found 100, expected at least features.max_length 192"},
      {"question as long as the window", "features.max_question=190",
       "features.max_question: found 190"},
      {"no seeds", "seeds=[]", "seeds: expected a list"},
      {"negative seed", "seeds=[-1]", "seeds[0]: found -1"},
      {"no data", "data=[]", "data: expected a list"},
      {"name with a slash", "name=a/b", "name: found \"a/b\""},
      {"path that is not there", "arms[3].train.epochs=1",
       "--set arms[3].train.epochs=1: arms has 1 entries, found index 3"},
      {"misspelt path", "arms[0].trian.epochs=1",
       "there is no \"trian\" in arms[0], did you mean \"train\"?"},
      {"no equals sign", "seeds", "--set seeds: expected KEY=VALUE"},
      {"tokenizer from two places", "tokenizer.run=x.h5", "tokenizer.run: expected either"},
      {"factorized without a transform", "arms[0].model.mlm_transform=false",
       "arms[0].model.mlm_transform: found false"},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    CHECK_THAT(message_of(tiny_experiment("bert"), {one.override_}), Contains(one.expected));
  }
  CHECK_THAT(message_of(tiny_experiment("pretrain"), {"arms[0].init_from=a.h5"}),
             Contains("arms[0].init_from: found \"a.h5\", expected none in a pretrain experiment"));
}

TEST_CASE("a file that is no JSON object is named with the place") {
  const std::string good = tiny_experiment("bert");
  CHECK_THAT(message_of(good.substr(0, good.size() / 2)), Contains("tiny.json: not valid JSON"));
  CHECK_THAT(message_of("{\"name\": \"\xff\"}"), Contains("tiny.json: not valid UTF-8 at byte 10"));
  CHECK_THAT(message_of("[]"), Contains("tiny.json: expected an object"));
  CHECK_THROWS_WITH(load_experiment("nowhere/x.json", "quick", {}),
                    Contains("nowhere/x.json: cannot be read"));
  CHECK_THAT(message_of(good, {}, "slow"),
             Contains("profile: found \"slow\", expected one of: quick"));
}

TEST_CASE("an unknown experiment is answered with the nearest and the list") {
  CHECK_THROWS_WITH(
      experiment_path("korquad_lstm_vs_brt"),
      Contains("did you mean \"korquad_lstm_vs_bert\"?") && Contains("kowiki_mini_bert"));
}

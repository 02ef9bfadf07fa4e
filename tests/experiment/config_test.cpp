// Experiment files: profiles, overrides, and one clear line for everything that is wrong.
#include "experiment/config.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "core/error.h"
#include "experiment/difference.h"
#include "experiment/experiment_file.h"
#include "experiment/prepared_data.h"
#include "experiment/stored_model.h"
#include "experiment/tiny.h"
#include "model/model_config.h"
#include "model/pretraining_model.h"
#include "support/scratch.h"
#include "support/shipped.h"
#include "task/all/registry.h"
#include "task/pretrain/pretrain_settings.h"
#include "task/qa/qa_settings.h"
#include "task/weights.h"

using nlohmann::json;
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
  const auto& settings = as<QaSettings>(*experiment.arms[0].settings);
  CHECK(settings.features.max_length == 192);
  CHECK(settings.spans.max_answer == 30);
  CHECK(experiment.arms[0].train.optimizer.lr == 5e-4);
  CHECK(experiment.protocol == "standard");
}

TEST_CASE("the shipped experiments are valid in each of their profiles") {
  size_t experiments = 0;
  for (const auto& entry : std::filesystem::directory_iterator("experiments")) {
    if (entry.path().extension() != ".json" || entry.path().stem() == "datasets") continue;
    const std::string path = entry.path().string();
    for (const std::string& profile : profile_names(read_with_bases(path))) {
      INFO(path << " " << profile);
      const ExperimentConfig experiment = load_experiment(path, profile, {});
      CHECK(experiment.name == entry.path().stem());
      CHECK_FALSE(experiment.arms.empty());
    }
    for (const bool on_device : {false, true})
      CHECK_NOTHROW(automatic_profile(read_with_bases(path), on_device));
    ++experiments;
  }
  CHECK(experiments > 20);
}

namespace {

std::vector<std::string> shipped_records() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("results"))
    if (entry.path().extension() == ".h5") paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

// Returns the part of a run's configuration that an experiment file states.
json without_data(json config) {
  for (const char* made : {"data", "data_id", "model", "precision"}) config.erase(made);
  return config;
}

}  // namespace

TEST_CASE("the configurations of shipped records are written again as they were read") {
  const std::vector<std::string> paths = shipped_records();
  CHECK(paths.size() > 100);
  for (const std::string& path : paths) {
    INFO(path);
    const RunRecord record = load_record(path, Load::summary);
    const ExperimentConfig stored = stored_experiment(record, path);
    const json before = without_data(record.config);
    const json now = without_data(to_json(stored, stored.arms.at(0), record.seed));
    for (const json& change : json::diff(before, now)) {
      INFO(change.dump());
      // Later keys have the defaults that change nothing; some are gone (FieldReader::retired), and two of
      // pretraining stand in every "train" of the first records (pass_over_pretraining_keys).
      const auto path_of_key = change.at("path").get<std::string>();
      const bool is_gone =
          change.at("op") == "remove" &&
          (path_of_key.ends_with("/training_windows") ||
           path_of_key.ends_with("/instances/skip_bad_lines") ||
           path_of_key.ends_with("/train/nsp_weight") || path_of_key.ends_with("/train/phases"));
      CHECK((change.at("op") == "add" || is_gone));
    }
  }
}

TEST_CASE("shipped experiments would make the runs again that are shipped of them") {
  const std::regex place("results/([a-z0-9_]+)/(quick|full|10m)(-base)?(-[12]-core)?/[^/]+");
  size_t compared = 0;
  for (const std::string& path : shipped_records()) {
    std::smatch named;
    if (!std::regex_match(path, named, place)) continue;
    const std::string file = "experiments/" + named[1].str() + ".json";
    // Those of two were made with other values of a few keys.
    const bool was_changed = named[1] == "korquad_lstm_vs_bert" || named[1] == "kowiki_mini_bert";
    if (!std::filesystem::exists(file) || was_changed) continue;
    INFO(path);
    const RunRecord record = load_record(path, Load::summary);
    const ExperimentConfig experiment = load_experiment(file, named[2], {});
    const auto arm = std::ranges::find(experiment.arms, record.arm, &ArmConfig::name);
    REQUIRE(arm != experiment.arms.end());
    const ExperimentConfig& own = experiment_of(experiment, *arm);
    const ExperimentConfig stored = stored_experiment(record, path);
    json now = without_data(to_json(own, *arm, record.seed));
    const json then = without_data(to_json(stored, stored.arms.at(0), record.seed));
    // Schedules of their time ended at zero, which a record says by naming no end.
    if (!then["arms"][0]["train"].contains("schedule_end"))
      now["arms"][0]["train"].erase("schedule_end");
    // And their short instances had no mask.
    if (now.contains("instances") && !then["instances"].contains("at_least_one_mask"))
      now["instances"].erase("at_least_one_mask");
    CHECK(first_difference(now, then) == "");
    ++compared;
  }
  CHECK(compared > 100);
}

TEST_CASE("a split that is reported or watched and has no examples is refused before training") {
  const Scratch folder;
  std::filesystem::create_directory(folder / "t");
  // Thirty articles of `count` titles are so many.
  const auto prepare = [&](int count, const std::string& monitor) {
    json articles = json::array();
    for (int i = 0; i < 30; ++i)
      articles.push_back({{"title", "문서" + std::to_string(i % count)},
                          {"paragraphs",
                           {{{"context", "세종대왕은 조선의 왕이다."},
                             {"qas",
                              {{{"id", i},
                                {"question", "누가 왕인가?"},
                                {"answers", {{{"text", "세종대왕"}, {"answer_start", 0}}}}}}}}}}});
    write_bytes(folder / "t/q.json", json{{"data", articles}}.dump());
    write_bytes(
        folder / "sets.json",
        R"({"version": 1, "datasets": [{"id": "q", "title": "x", "folder": "t", "licence": "n",
      "citation": "n", "files": [{"name": "q.json", "kind": "korquad", "split": "all"}],
      "articles": {"from": "all", "train": 70, "dev": 10, "test": 20}}]})");
    const json file = {
        {"task", "korquad"},
        {"data", {"q"}},
        {"tokenizer", {{"run", kShippedModel}}},
        {"seeds", {1}},
        {"profiles", {{"quick", json::object()}}},
        {"arms",
         {{{"name", "a"}, {"model", {{"kind", "majority"}}}, {"train", {{"monitor", monitor}}}}}}};
    write_bytes(folder / "e.json", file.dump());
    const ExperimentConfig experiment = load_experiment(folder / "e.json", "quick", {});
    try {
      PreparedData(experiment, {.data_dir = folder.path(), .registry = folder / "sets.json"},
                   [](const std::string&) {});
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(prepare(20, "f1").empty());
  CHECK_THAT(prepare(1, "none"), Contains("has no examples for split \"test\""));
  CHECK_THAT(prepare(4, "f1"),
             Contains("has no examples for split \"dev\"") && Contains("train.monitor"));
  CHECK(prepare(4, "none").empty());
}

TEST_CASE("a falling schedule of a new run ends above zero, of a stored one as it did") {
  const Scratch folder;
  write_bytes(folder / "my run.json", R"({
    "task": "classification", "data": ["nsmc"], "tokenizer": {"data": ["sample"]}, "seeds": [1],
    "profiles": {"quick": {}},
    "arms": [{"name": "a", "model": {"kind": "bag", "d_model": 16}, "train": {"schedule": "linear"}},
             {"name": "b", "model": {"kind": "bag", "d_model": 16},
              "train": {"schedule": "linear", "schedule_end": "zero"}},
             {"name": "c", "model": {"kind": "bag", "d_model": 16}, "train": {}}]})");
  const ExperimentConfig experiment = load_experiment(folder / "my run.json", "quick", {});
  CHECK(experiment.name == "my_run");
  CHECK(learning_rate(experiment.arms[0].train, 5, 6) ==
        Approx(experiment.arms[0].train.optimizer.lr / 6));
  CHECK(learning_rate(experiment.arms[1].train, 5, 6) == Approx(0).margin(1e-15));
  json stored = to_json(experiment, experiment.arms[0], 1);
  CHECK(stored["arms"][0]["train"]["schedule_end"] == "above_zero");
  CHECK_FALSE(
      to_json(experiment, experiment.arms[2], 1)["arms"][0]["train"].contains("schedule_end"));
  stored["arms"][0]["train"].erase("schedule_end");
  CHECK(learning_rate(experiment_from_json(stored, "old.h5", "quick").arms[0].train, 5, 6) ==
        Approx(0).margin(1e-15));
}

TEST_CASE("fewer training examples are drawn by chance, those of a stored run are the first") {
  const Scratch folder;
  std::string rows = "text\tlabel\n", test = rows;
  for (int i = 0; i < 200; ++i)
    rows += "리뷰 " + std::to_string(i) + (i < 150 ? "\t긍정\n" : "\t부정\n");
  for (int i = 0; i < 20; ++i)
    test += "시험 " + std::to_string(i) + (i % 2 == 0 ? "\t긍정\n" : "\t부정\n");
  write_bytes(folder / "train.tsv", rows);
  write_bytes(folder / "test.tsv", test);
  json file = {
      {"task", "classification"},
      {"data",
       {{"train", folder / "train.tsv"},
        {"test", folder / "test.tsv"},
        {"dev", folder / "test.tsv"}}},
      {"tokenizer", {{"run", kShippedModel}}},
      {"seeds", {1}},
      {"features", {{"train_limit", 100}}},
      {"profiles", {{"quick", json::object()}}},
      {"arms",
       {{{"name", "a"}, {"model", {{"kind", "bag"}, {"d_model", 16}}}, {"train", json::object()}},
        {{"name", "b"},
         {"model", {{"kind", "bag"}, {"d_model", 16}}},
         {"train", json::object()},
         {"override", {{"features", {{"train_limit", 50}}}}}}}}};
  const auto written = [&] {
    write_bytes(folder / "e.json", file.dump());
    return load_experiment(folder / "e.json", "quick", {});
  };
  std::vector<std::string> said;
  const auto labels = [&](const ExperimentConfig& experiment) {
    PreparedData data(experiment, {.data_dir = folder.path()},
                      [&](const std::string& line) { said.push_back(line); });
    return data.task_data().statistics().at("train").at("labels");
  };
  const ExperimentConfig random = written();
  const json drawn = labels(random);
  CHECK(drawn.at("긍정").get<int>() + drawn.at("부정").get<int>() == 100);
  CHECK(drawn.at("부정").get<int>() > 10);
  CHECK(std::ranges::count(said,
                           "train: 100 of 200 examples, drawn by chance "
                           "(features.train_limit)") == 1);
  CHECK(labels(random) == drawn);
  json stored = to_json(random, random.arms[0], 1);
  CHECK(stored["features"]["train_sample"] == "random");
  const ExperimentConfig& own = experiment_of(random, random.arms[1]);
  CHECK(to_json(own, random.arms[1], 1)["features"]["train_sample"] == "random");

  stored["features"].erase("train_sample");
  CHECK_THROWS_WITH(labels(experiment_from_json(stored, "old.h5", "quick")),
                    Contains("found the label \"부정\""));
  file["features"]["train_sample"] = "first";
  const ExperimentConfig first = written();
  CHECK_FALSE(to_json(first, first.arms[0], 1)["features"].contains("train_sample"));
  const ExperimentConfig& own_first = experiment_of(first, first.arms[1]);
  CHECK_FALSE(to_json(own_first, first.arms[1], 1)["features"].contains("train_sample"));
  file["features"] = {{"train_limit", 0}};
  CHECK_FALSE(to_json(written(), written().arms[0], 1)["features"].contains("train_sample"));
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
  CHECK_THROWS_WITH(load(text, {"title=\xff"}), Contains("--set title: is no UTF-8 at byte 6"));
  nlohmann::json dotted = nlohmann::json::parse(text);
  dotted["arms"][0]["name"] = "v1.5";
  CHECK(load(dotted.dump(), {"arms[v1.5].train.epochs=7"}).arms[0].train.epochs == 7);
}

TEST_CASE("a new pretraining run masks at least one word, a stored one as its time did") {
  const ExperimentConfig now = load(tiny_experiment("pretrain"), {});
  json stored = to_json(now, now.arms[0], 1);
  CHECK(stored["instances"]["at_least_one_mask"] == true);
  stored["instances"].erase("at_least_one_mask");
  const ExperimentConfig then = experiment_from_json(stored, "old.h5", "quick");
  CHECK(to_json(then, then.arms[0], 1) == stored);
  const ExperimentConfig asked =
      load(tiny_experiment("pretrain"), {"instances.at_least_one_mask=false"});
  CHECK_FALSE(to_json(asked, asked.arms[0], 1)["instances"].contains("at_least_one_mask"));
  json bare = json::parse(tiny_experiment("pretrain"));
  bare.erase("instances");
  const ExperimentConfig unsaid = load(bare.dump(), {});
  CHECK(to_json(unsaid, unsaid.arms[0], 1)["instances"]["at_least_one_mask"] == true);
}

TEST_CASE("what a run stores makes the same experiment again") {
  const ExperimentConfig first =
      load(tiny_experiment("bert"), {"arms[0].train.optimizer={\"lr\":0.01}"});
  const nlohmann::json stored = to_json(first, first.arms[0], 1);
  const ExperimentConfig second = experiment_from_json(stored, "record", "quick");
  CHECK(to_json(second, second.arms[0], 1) == stored);
  const ExperimentConfig pretraining =
      load(tiny_experiment("pretrain"),
           {R"(tokenizer={"wordpiece": "bert-base-uncased"})", "instances.sentence_task=none",
            "instances.unit=line", "instances.mask_choice=independent"});
  const nlohmann::json other = to_json(pretraining, pretraining.arms[0], 1);
  CHECK(other.at("tokenizer") == nlohmann::json{{"wordpiece", "bert-base-uncased"}});
  CHECK(other.at("instances").at("unit") == "line");
  CHECK(other.at("instances").at("mask_choice") == "independent");
  const ExperimentConfig again = experiment_from_json(other, "record", "quick");
  CHECK(to_json(again, again.arms[0], 1) == other);
  const ExperimentConfig bytes =
      load(tiny_experiment("pretrain"), {"tokenizer.type=byte_bpe", "tokenizer.vocab_size=400"});
  const nlohmann::json third = to_json(bytes, bytes.arms[0], 1);
  CHECK(third.at("tokenizer").at("type") == "byte_bpe");
  const ExperimentConfig same = experiment_from_json(third, "record", "quick");
  CHECK(to_json(same, same.arms[0], 1) == third);
}

TEST_CASE("an arm's override changes the experiment for that arm alone") {
  json experiment = json::parse(tiny_experiment("pretrain"));
  experiment["arms"].push_back(experiment["arms"][0]);
  experiment["arms"][1]["name"] = "other";
  experiment["arms"][1]["override"] = {{"tokenizer", {{"run", "a.h5"}}},
                                       {"instances", {{"sequence_length", 32}}}};
  const ExperimentConfig read = load(experiment.dump());
  REQUIRE(read.arms.size() == 2);
  const ExperimentConfig& own = experiment_of(read, read.arms[1]);
  CHECK(&experiment_of(read, read.arms[0]) == &read);
  CHECK(as<PretrainSettings>(*read.settings).instances.sequence_length == 64);
  CHECK(as<PretrainSettings>(*own.settings).instances.sequence_length == 32);
  CHECK(as<PretrainSettings>(*own.settings).dev_limit == 20);
  CHECK(own.tokenizer.run == "a.h5");
  CHECK(own.tokenizer.data.empty());
  const json stored = to_json(own, own.arms.at(0), 1);
  CHECK(to_json(experiment_from_json(stored, "stored", "quick"), own.arms.at(0), 1) == stored);

  experiment["arms"][1]["override"] = {{"seeds", {1}}};
  CHECK_THAT(
      message_of(experiment.dump()),
      Contains("arms[1].override.seeds: expected data, tokenizer or a key of the task: only these "
               "may differ by arm"));
  experiment["arms"][1]["override"] = 3;
  CHECK_THAT(message_of(experiment.dump()), Contains("arms[1].override: expected an object"));
  experiment["arms"][1]["override"] = {{"instances", {{"sequence_lenght", 32}}}};
  CHECK_THAT(message_of(experiment.dump()), Contains("instances.sequence_lenght"));
  experiment["arms"][1]["override"] = json::object();
  experiment["arms"][1]["train"]["epoch"] = 3;
  CHECK_THAT(message_of(experiment.dump()), Contains("arms[1].train.epoch"));
}

TEST_CASE("data can be text files of one's own") {
  json experiment = json::parse(tiny_experiment("pretrain"));
  experiment["data"] = {{"files", {"mine", "more.jsonl"}}, {"dev", {"held-out.txt"}}};
  experiment["tokenizer"] = {{"files", {"mine"}}, {"vocab_size", 1500}};
  const ExperimentConfig read = load(experiment.dump());
  CHECK(read.data.train == std::vector<std::string>{"mine", "more.jsonl"});
  CHECK(read.data.dev == std::vector<std::string>{"held-out.txt"});
  CHECK(to_json(read, read.arms[0], 1).at("data") == experiment["data"]);
  CHECK(to_json(read, read.arms[0], 1).at("tokenizer").at("files") == json({"mine"}));
  experiment["data"] = {{"dev", {"held-out.txt"}}};
  CHECK_THAT(message_of(experiment.dump()), Contains("data.files: expected a list of text files"));
  experiment["data"] = {{"files", {"a"}}, {"tset", {"b"}}};
  CHECK_THAT(message_of(experiment.dump()), Contains("data.tset"));
  json questions = json::parse(tiny_experiment("bert"));
  questions["data"] = {{"files", {"a"}}};
  CHECK_THAT(
      message_of(questions.dump()),
      Contains("data: found files") && Contains("korquad experiment does not read plain text"));
}

TEST_CASE("labelled files of one's own are data of every task but pretraining") {
  json experiment = json::parse(tiny_experiment("bert"));
  experiment["data"] = {{"train", "own.json"}, {"held_out", 20}};
  const ExperimentConfig read = load(experiment.dump());
  REQUIRE(read.data.labelled);
  CHECK(read.data.labelled->train == std::vector<std::string>{"own.json"});
  CHECK(to_json(read, read.arms[0], 1).at("data") == experiment["data"]);
  experiment["data"]["grop"] = "지문";
  CHECK_THAT(message_of(experiment.dump()), Contains("data.grop") && Contains("group"));
  experiment["data"] = {{"train", "own.csv"}, {"question", "질문"}};
  CHECK_THAT(message_of(experiment.dump()), Contains("data.question: is gone"));
  experiment["data"] = {{"train", "own.csv"}, {"separator", "space"}};
  CHECK_THAT(message_of(experiment.dump()), Contains("data.separator: found \"space\""));
  json pretraining = json::parse(tiny_experiment("pretrain"));
  pretraining["data"] = {{"train", "own.csv"}};
  CHECK_THAT(message_of(pretraining.dump()), Contains("data: found labelled files, expected text"));
}

TEST_CASE("an arm that is not asked for cannot refuse a run") {
  const std::string path = "experiments/kowiki_mini_bert.json";
  const std::vector<std::string> change = {"instances.masking=static"};
  // The phases of the other arm mask anew.
  CHECK_THROWS_WITH(load_experiment(path, "full", change), Contains("arms[0].train.phases"));
  const ExperimentConfig experiment = load_experiment(path, "full", change, {"mini_bert_10m"});
  REQUIRE(experiment.arms.size() == 1);
  CHECK(experiment.arms[0].name == "mini_bert_10m");
  CHECK(load_experiment(path, "full", {}, {"mini_bert_11m"}).arms.size() == 2);
}

TEST_CASE("without a wish a run takes the profile full on a device and quick elsewhere") {
  const auto profile = [](const std::string& name, bool on_device) {
    return automatic_profile(read_with_bases("experiments/" + name + ".json"), on_device);
  };
  CHECK(profile("korquad_lstm_vs_bert", true) == "full");
  CHECK(profile("korquad_lstm_vs_bert", false) == "quick");
  const std::vector<ExperimentFile> others = {
      {"own.json", json::object(), {{"large", json::object()}, {"small", json::object()}}}};
  CHECK_THROWS_WITH(automatic_profile(others, true), Contains("expected one of: large, small"));
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
      {"wrong type", "arms[0].train.epochs=\"many\"",
       "arms[0].train.epochs: found \"many\", expected a whole number"},
      {"heads that do not divide", "arms[0].model.n_heads=3",
       "arms[0].model.n_heads: found 3, expected a divisor of d_model 32"},
      {"unknown kind", "arms[0].model.kind=gpt",
       "arms[0].model.kind: found \"gpt\", expected one of: bert, lstm, lstm_qa, bag"},
      {"patience without a monitor", "arms[0].train.monitor=none",
       "arms[0].train.monitor: found \"none\""},
      {"window beyond the positions", "arms[0].model.max_positions=100",
       "arms[0].model.max_positions: found 100, expected at least features.max_length 192"},
      {"question as long as the window", "features.max_question=190",
       "features.max_question: found 190"},
      {"no seeds", "seeds=[]", "seeds: expected a list"},
      {"name with a slash", "name=a/b", "name: found \"a/b\""},
      {"path that is not there", "arms[3].train.epochs=1",
       "--set arms[3].train.epochs=1: arms has 1 entries, found index 3"},
      {"misspelt path", "arms[0].trian.epochs=1",
       "there is no \"trian\" in arms[0], did you mean \"train\"?"},
      {"no equals sign", "seeds", "--set seeds: expected KEY=VALUE"},
      {"byte-level BPE without all bytes",
       R"(tokenizer={"data": ["x"], "type": "byte_bpe", "vocab_size": 262})",
       "tokenizer.vocab_size: found 262, expected a whole number from 263"},
      {"tokenizer from two places", "tokenizer.run=x.h5", "tokenizer.run: expected one of"},
      {"a size beside a tokenizer that is there",
       R"(tokenizer={"run": "x.h5", "vocab_size": 9000})",
       "tokenizer.vocab_size: found beside \"run\""},
      {"factorized without a transform", "arms[0].model.mlm_transform=false",
       "arms[0].model.mlm_transform: found false"},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    CHECK_THAT(message_of(tiny_experiment("bert"), {one.override_}), Contains(one.expected));
  }
  CHECK_THAT(message_of(tiny_experiment("bert"), {R"(arms[0].train.phases=[{"epochs": 1}])"}),
             Contains("arms[0].train.phases: found a list, expected none in a korquad experiment"));
  const Case pretraining[] = {
      {"a span head's key", "arms[0].model.answer_lengths=3",
       "arms[0].model.answer_lengths: expected none in a pretrain experiment"},
      {"lines with a sentence task", "instances.unit=line",
       "instances.unit: found \"line\", expected document where there is a sentence_task"},
      {"an LSTM", R"(arms[0].model={"kind": "lstm"})",
       "arms[0].model.kind: found \"lstm\", expected bert in a pretrain experiment"},
      {"phase too short", R"(arms[0].train.phases=[{"epochs": 1, "n_seq": 4}])",
       "arms[0].train.phases[0].n_seq: found 4"},
      {"phase longer than instances can be",
       R"(arms[0].train.phases=[{"epochs": 1, "n_seq": 513}])",
       "arms[0].train.phases[0].n_seq: found 513"},
  };
  for (const Case& one : pretraining) {
    INFO(one.name);
    CHECK_THAT(message_of(tiny_experiment("pretrain"), {one.override_}), Contains(one.expected));
  }
}

TEST_CASE("a profile has a name that can be a folder's, and is an object") {
  nlohmann::json experiment = nlohmann::json::parse(tiny_experiment("bert"));
  for (const auto& [name, value, expected] :
       {std::tuple{"../../evil", nlohmann::json::object(),
                   "profiles.../../evil: found \"../../evil\", expected letters"},
        {"quick", nlohmann::json({1}), "profiles.quick: found array, expected an object"},
        {"quick", nlohmann::json("x"), "profiles.quick: found string, expected an object"},
        {"quick", nlohmann::json(), "profiles.quick: found null, expected an object"}}) {
    INFO(expected);
    experiment["profiles"] = {{name, value}};
    CHECK_THAT(message_of(experiment.dump(), {}, name), Contains(expected));
  }
}

TEST_CASE("what is wrong in a file that another extends is named with that file") {
  const Scratch scratch;
  json base = json::parse(tiny_experiment("bert"));
  base["arms"][0]["train"]["epochs"] = 0;
  base["features"]["stride"] = 128;
  const auto message = [&](const json& mine, const std::vector<std::string>& overrides = {}) {
    write_bytes(scratch / "base.json", base.dump());
    write_bytes(scratch / "mine.json", mine.dump());
    try {
      return load_experiment(scratch / "mine.json", "quick", overrides).name;
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      return std::string(error.what()).substr(scratch.path().size() + 1);
    }
  };
  const json arms = {{{"name", "bert"}, {"train", {{"epochs", -1}}}}};
  CHECK_THAT(message({{"extends", "base"}}),
             Contains("base.json: arms[0].train.epochs: found 0, expected"));
  CHECK_THAT(message({{"extends", "base"}, {"arms", arms}}),
             Contains("mine.json: arms[0].train.epochs: found -1, expected"));
  CHECK_THAT(message({{"extends", "base"}, {"profiles", {{"quick", {{"arms", arms}}}}}}),
             Contains("mine.json: arms[0].train.epochs: found -1, expected"));
  CHECK_THAT(message({{"extends", "base"}}, {"arms[0].train.epochs=-2"}),
             Contains("mine.json: arms[0].train.epochs: found -2, expected"));
  base["arms"][0]["train"]["epochs"] = 1;
  CHECK_THAT(message({{"extends", "base"}, {"features", {{"stried", 64}}}}),
             Contains("mine.json: features.stried: unknown key, did you mean \"stride\"?"));
  CHECK(message({{"extends", "base"}}) == "mine");
  base["features"]["stried"] = 64;
  CHECK_THAT(message({{"extends", "base"}}), Contains("base.json: features.stried: unknown key"));
}

TEST_CASE("phases take the arm's batch size unless they have their own") {
  const ExperimentConfig experiment = load(
      tiny_experiment("pretrain"),
      {"arms[0].train.batch_size=17",
       R"(arms[0].train.phases=[{"epochs": 2, "n_seq": 64}, {"epochs": 1, "n_seq": 384, "batch_size": 11}])"});
  const auto& phases = as<PretrainArmSettings>(*experiment.arms[0].settings).phases;
  CHECK(phases.at(0).batch_size == 17);
  CHECK(phases.at(1).batch_size == 11);
}

TEST_CASE("masks by step are written where they are used, and refused where no step is known") {
  const auto phases = [](double end, int count) {
    json all = json::array();
    for (int i = 0; i < count; ++i)
      all.push_back({{"epochs", 2}, {"n_seq", 64}, {"mask_probability", 0.3}});
    if (end > 0) all[0]["mask_probability_end"] = end;
    return "arms[0].train.phases=" + all.dump();
  };
  const auto stored = [&](double end) {
    const ExperimentConfig read = load(tiny_experiment("pretrain"), {phases(end, 2)});
    return to_json(read, read.arms[0], 1)["arms"][0]["train"]["phases"][0];
  };
  CHECK_FALSE(stored(0).contains("mask_probability_end"));
  CHECK(stored(0.15).at("mask_probability_end") == 0.15);
  const auto told = [&](double end, int count, const std::string& more) {
    return message_of(tiny_experiment("pretrain"), {phases(end, count), more});
  };
  const std::string set = "arms[0].train.max_minutes";
  CHECK_THAT(told(0.15, 2, set + "=1"),
             Contains("arms[0].train.phases: found several with a mask_probability_end, "
                      "expected one phase with max_minutes"));
  CHECK_NOTHROW(load(tiny_experiment("pretrain"), {phases(0.15, 2), set + "=0"}));
  CHECK_NOTHROW(load(tiny_experiment("pretrain"), {phases(0.15, 1), set + "=1"}));
  CHECK_NOTHROW(load(tiny_experiment("pretrain"), {phases(0, 2), set + "=1"}));
  CHECK_THAT(told(0.15, 1, "instances.masking=static"),
             Contains("arms[0].train.phases: found mask_probability"));
  CHECK_THAT(told(0.15, 1, "arms[0].train.objective=clm"),
             Contains("arms[0].train.phases: found mask_probability_end, expected none with "
                      "objective \"clm\""));
}

TEST_CASE("the entries that ship keep to the rules of the ten minutes of two cores") {
  const ExperimentConfig experiment = load_experiment("experiments/speedrun.json", "full", {});
  CHECK(to_json(experiment, experiment.arms[0], 1).at("data") == json{"kowiki"});
  for (const ArmConfig& arm : experiment.arms) {
    INFO(arm.name);
    CHECK(arm.train.max_minutes == 10);
    CHECK(arm.init_from.empty());
    CHECK(as<PretrainArmSettings>(*arm.settings).teacher.teacher.empty());
    json model = arm.model;
    model["vocab_size"] = 8007;
    const ModelConfig config = model_config_from_json(model, arm.name);
    PretrainingModel made(*config.get_if<BertConfig>());
    CHECK(parameter_count(made) <= 1'300'000);
  }
}

TEST_CASE("the training trials differ from their first arm in one thing each") {
  const ExperimentConfig experiment =
      load_experiment("experiments/training_trials.json", "quick", {});
  const json first = to_json(experiment, experiment.arms[0], 1).at("arms").at(0);
  for (const ArmConfig& arm : experiment.arms) {
    INFO(arm.name);
    const json own = to_json(experiment, arm, 1).at("arms").at(0);
    std::set<std::string> changed;
    for (const json& one : json::diff(first, own)) {
      const std::string path = one.at("path");
      if (path != "/name") changed.insert(path);
    }
    const std::map<std::string, std::set<std::string>> expected = {
        {"local_geglu_recipe", {}},
        {"muon", {"/train/optimizer/type", "/train/optimizer/muon_lr"}},
        {"cautious", {"/train/optimizer/cautious_decay"}},
        {"trapezoid_average", {"/train/schedule", "/train/cooldown", "/train/average_from"}},
        {"masks_by_step", {"/train/phases/0/mask_probability_end"}}};
    CHECK(changed == expected.at(arm.name));
  }
}

TEST_CASE("weights are chosen by a measure of the task, and by no other") {
  CHECK_THAT(message_of(tiny_experiment("bert"), {"arms[0].train.monitor=mlm_accuracy"}),
             Contains("arms[0].train.monitor: found \"mlm_accuracy\", expected one of: none, "
                      "exact_match, f1"));
  CHECK_THAT(message_of(tiny_experiment("pretrain"), {"arms[0].train.monitor=mlm_los"}),
             Contains("did you mean \"mlm_loss\"?"));
  CHECK_THAT(message_of(tiny_experiment("bert"), {"arms[0].train.monitor=questions"}),
             Contains("arms[0].train.monitor: found \"questions\""));
  CHECK(load(tiny_experiment("pretrain"), {"arms[0].train.monitor=mlm_loss"})
            .arms[0]
            .train.lower_is_better);
  CHECK_THAT(message_of(tiny_experiment("pretrain"), {"arms[0].train.monitor=mlm_loss_masked"}),
             Contains("arms[0].train.monitor: found \"mlm_loss_masked\", which this arm does not "
                      "measure after every epoch, expected one of: none, mlm_accuracy"));
  CHECK_THAT(message_of(tiny_experiment("pretrain"),
                        {"arms[0].train.monitor=nsp_accuracy", "instances.sentence_task=none"}),
             Contains("arms[0].train.monitor: found \"nsp_accuracy\""));
  CHECK_FALSE(load(tiny_experiment("pretrain"), {"arms[0].train.monitor=mlm_accuracy"})
                  .arms[0]
                  .train.lower_is_better);
}

TEST_CASE("a file that is no JSON object is named with the place") {
  const std::string good = tiny_experiment("bert");
  CHECK_THAT(message_of(good.substr(0, good.size() / 2)), Contains("tiny.json: not valid JSON"));
  CHECK_THAT(message_of("{\"name\": \"\xff\"}"), Contains("tiny.json: not valid UTF-8 at byte 10"));
  CHECK_THAT(message_of("[]"), Contains("tiny.json: expected an object"));
  CHECK_THAT(message_of(R"({"seeds": [1], "arms": [{"name": "a", "name": "b"}], "seeds": [2]})"),
             Contains("tiny.json: not valid JSON: the key \"name\" stands twice in one object"));
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

TEST_CASE("a task names one of its measures for choosing the best epoch, where new writes it") {
  size_t named = 0;
  for (const std::string& task : task_names()) {
    const std::string monitor(task_kind(task).monitor());
    if (monitor.empty()) continue;
    ++named;
    CHECK(std::ranges::count(task_kind(task).measures(), monitor, &Measure::name) == 1);
  }
  CHECK(named == 6);
}

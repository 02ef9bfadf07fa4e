// Every shipped experiment on the stand-in: each shape of its models that `quick` trains makes two steps on a
// handful of examples, is measured and recorded.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <set>

#include "core/files.h"
#include "device/stand_in.h"
#include "environment/environment.h"
#include "experiment/config.h"
#include "experiment/experiment_file.h"
#include "experiment/runner.h"
#include "record/run_record.h"
#include "support/scratch.h"
#include "task/start.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::Scratch;
using testing::stand_in;

// A labelled file of a few examples for every task that learns from such, as an experiment's "data".
json labelled(const std::string& task, const Scratch& folder) {
  const auto data = [&](const char* name, const std::string& text, json keys) {
    folder.write(name, text);
    for (const char* split : {"train", "dev", "test"}) keys[split] = folder / name;
    return keys;
  };
  if (task == "classification")
    return data(
        "labels.tsv",
        "text\tlabel\n정말 좋은 영화\tgood\n정말 나쁜 영화\tbad\n좋은 날\tgood\n나쁜 책\tbad\n",
        {{"text", "text"}, {"label", "label"}});
  if (task == "regression")
    return data("numbers.tsv",
                "a\tb\tscore\n좋은 날\t좋은 날\t5\n좋은 날\t나쁜 책\t0.5\n좋은 책\t참 좋은 책\t4\n",
                {{"text", "a"}, {"pair", "b"}, {"label", "score"}});
  if (task == "choice")
    return data("choices.tsv",
                "a\t1\t2\tlabel\n비가 왔다\t길이 젖었다\t길이 말랐다\t1\n"
                "해가 났다\t길이 젖었다\t길이 말랐다\t2\n",
                {{"text", "a"}, {"choices", {"1", "2"}}, {"label", "label"}, {"first_choice", 1}});
  return data("tags.conll", "세종\tB-PS\n이\tO\n왔다\tO\n\n서울\tB-LC\n이\tO\n크다\tO\n",
              json::object());
}

// The first paragraph of each of the sample's splits with its questions, as an experiment's "data".
json questions(const Scratch& folder) {
  json keys;
  for (const std::string split : {"train", "dev", "test"}) {
    json set = read_json("experiments/sample/" + split + ".json");
    json& articles = set.at("data");
    articles = json::array({articles.at(0)});
    json& paragraphs = articles[0].at("paragraphs");
    paragraphs = json::array({paragraphs.at(0)});
    folder.write(split + ".json", set.dump());
    keys[split] = folder / (split + ".json");
  }
  return keys;
}

// The records that a run starts or learns from.
void find_records(const json& config, std::vector<std::string>* found) {
  if (config.is_string() && config.get<std::string>().ends_with(".h5"))
    found->push_back(named_record(config, 1));
  if (config.is_structured())
    for (const json& part : config) find_records(part, found);
}

// Returns true if the records are there with their weights: some experiments start from runs that
// are not shipped.
bool can_start(const ArmConfig& arm, const ExperimentConfig& experiment) {
  std::vector<std::string> records;
  find_records(to_json(experiment, arm, 1).at("arms"), &records);
  return std::ranges::all_of(records, [](const std::string& path) {
    return fs::exists(path) && !load_record(path).weights.empty();
  });
}

// The experiment with little data and two steps an arm.
ExperimentConfig shortened(const std::string& path, const Scratch& folder) {
  const auto files = read_with_bases(path);
  const std::string profile = automatic_profile(files, /*on_device=*/false);
  json root = merged(files, profile);
  if (!root.contains("name")) root["name"] = fs::path(path).stem();
  const std::string task = root.at("task");
  root["seeds"] = {1};
  if (task == "pretrain" || task == "korquad") {
    root["data"] = task == "korquad" ? questions(folder) : json::array({"sample"});
    if (!root["tokenizer"].contains("run"))
      root["tokenizer"] = {{"data", {"sample"}}, {"vocab_size", 1500}};
    std::vector<std::string> records;  // whose tokenizer goes with them
    find_records(root.at("arms"), &records);
    const auto there =
        std::ranges::find_if(records, [](const auto& one) { return fs::exists(one); });
    if (there != records.end()) root["tokenizer"] = {{"run", *there}};
  } else {
    root["data"] = labelled(task, folder);
  }
  if (task == "pretrain") root["instances"].update(json{{"limit", 12}, {"dev_limit", 6}});
  for (json& arm : root["arms"]) {
    if (!arm.contains("train")) continue;
    arm["train"]["max_steps"] = 2;
    if (arm["train"].contains("phases"))
      for (json& phase : arm["train"]["phases"]) phase["batch_size"] = 4;
    else
      arm["train"]["batch_size"] = 4;
  }
  return experiment_from_json(root, path, profile);
}

}  // namespace

TEST_CASE("the models of every shipped experiment train, are measured and recorded on a device") {
  const AddedDevice added("stand-in", stand_in());
  const Scratch folder;
  std::set<std::string> seen;
  size_t made = 0;
  for (const auto& entry : fs::directory_iterator("experiments")) {
    if (entry.path().extension() != ".json" || entry.path().stem() == "datasets") continue;
    const std::string path = entry.path();
    CAPTURE(path);
    const ExperimentConfig experiment = shortened(path, folder);
    for (const ArmConfig& arm : experiment.arms) {
      CAPTURE(arm.name);
      const std::string shape =
          std::string(experiment.task->name()) + arm.model.dump() + arm.init_from;
      if (!can_start(arm, experiment_of(experiment, arm)) || !seen.insert(shape).second) continue;
      RunOptions options;
      options.results = folder / "results";
      options.device = "stand-in";
      options.precision = "bf16";
      options.threads = 1;
      options.arms = {arm.name};
      options.fetch = false;
      RunListener listener;
      const RunOutcome outcome = run_experiment(experiment, options, listener);
      CHECK(outcome.failures == std::vector<std::string>());
      if (!outcome.failures.empty()) continue;
      const RunRecord record = load_record(outcome.records.at(0));
      CHECK(record.status == "finished");
      CHECK_FALSE(record.summary.empty());
      ++made;
    }
  }
  std::printf("%zu runs on the stand-in\n", made);
  CHECK(made > 20);
}

}  // namespace minibert

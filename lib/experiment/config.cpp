#include "experiment/config.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "experiment/config_fields.h"
#include "experiment/experiment_file.h"
#include "experiment/overrides.h"
#include "experiment/sweep.h"
#include "model/config.h"
#include "task/all/registry.h"
#include "task/sequence/sequence_data.h"

namespace minibert {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// ASCII letters and digits, "_", "-" and ".", and any character of another script.
bool is_name_byte(unsigned char c) {
  return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c >= 0x80;
}

// Names become file names.
void check_name(const ConfigReader& reader, const std::string& key, const std::string& name) {
  if (name.empty() || name[0] == '.' || first_invalid_utf8(name) != kValid ||
      !std::all_of(name.begin(), name.end(), is_name_byte))
    reader.fail(key, "found \"" + excerpt(name) + "\", expected letters, digits, '_', '-' or '.'");
}

// A nameless experiment gets its file's name, with _ for characters that a name cannot have.
std::string name_of(const std::string& path) {
  std::string name = fs::path(path).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !is_name_byte(c); }, '_');
  return name;
}

TokenizerSource read_tokenizer(ConfigReader reader) {
  TokenizerSource source;
  read_fields(reader, source);
  if (source.settings.type == "byte_bpe")
    for (const char* key : {"character_coverage", "byte_fallback"})
      if (reader.has(key))
        reader.fail(key,
                    "found with the type byte_bpe, which knows every byte, expected no such key");
  reader.finish();
  if (!source.run.empty() + !source.wordpiece.empty() + !source.data.empty() +
          !source.files.empty() !=
      1)
    reader.fail("run",
                "expected one of \"run\" (a record), \"wordpiece\" (a data set with a vocabulary), "
                "\"data\" (data sets to train on) and \"files\" (text files to train on)");
  // A tokenizer that is taken over has these already.
  if (!source.run.empty() || !source.wordpiece.empty())
    for (const char* key : {"type", "vocab_size", "character_coverage", "byte_fallback"})
      if (reader.has(key))
        reader.fail(key, std::string("found beside \"") +
                             (source.run.empty() ? "wordpiece" : "run") +
                             "\", which has its own, expected no such key");
  return source;
}

// The weights are chosen by a figure that the task has and that can be better or worse.
void check_monitor(const ConfigReader& train, const TaskKind& kind, TrainConfig* config) {
  if (config->monitor == "none") return;
  std::vector<std::string> known = {"none"};
  for (const Measure& measure : kind.measures()) {
    if (measure.better == Better::neither) continue;
    known.emplace_back(measure.name);
    if (measure.name != config->monitor) continue;
    config->lower_is_better = measure.better == Better::lower;
    return;
  }
  train.fail("monitor", "found \"" + config->monitor + "\", expected one of: " + joined(known) +
                            did_you_mean(config->monitor, known));
}

// The experiment's keys for arm number `index`, the only one that is not skipped.
json overridden(json root, size_t index, ConfigReader& arm) {
  const json patch = arm.raw("override");
  if (!patch.is_object()) arm.fail("override", "expected an object");
  for (const char* fixed : {"arms", "fetch", "name", "profiles", "protocol", "questions", "seeds",
                            "sweep", "task", "title"})
    if (patch.contains(fixed))
      arm.fail(std::string("override.") + fixed,
               "expected data, tokenizer or a key of the task: only these may differ by arm");
  root.merge_patch(patch);
  if (patch.contains("tokenizer")) root["tokenizer"] = patch["tokenizer"];
  for (size_t i = 0; i < root["arms"].size(); ++i) root["arms"][i]["skip"] = i != index;
  root["arms"][index].erase("override");
  return root;
}

// Skips the arms that have other names, where these are all there and not left out by the profile.
void leave_out_others(json* root, const std::vector<std::string>& names) {
  if (names.empty() || !root->contains("arms") || !(*root)["arms"].is_array()) return;
  std::set<std::string> known;
  const auto name_of = [](const json& arm) {
    const bool named = arm.is_object() && arm.contains("name") && arm["name"].is_string();
    return named ? arm["name"].get<std::string>() : std::string();
  };
  for (const json& arm : (*root)["arms"])
    if (!arm.is_object() || arm.value("skip", json()) != true) known.insert(name_of(arm));
  if (!std::ranges::all_of(names, [&](const auto& name) { return known.contains(name); })) return;
  for (json& arm : (*root)["arms"])
    if (std::ranges::count(names, name_of(arm)) == 0 && arm.is_object()) arm["skip"] = true;
}

// Each names two arms that the file has, left out here or not.
std::vector<Question> read_questions(ConfigReader& reader, const json& root) {
  std::vector<Question> questions;
  if (!reader.has("questions")) return questions;
  std::vector<std::string> names;
  for (const json& arm : root.value("arms", json::array()))
    if (arm.is_object() && arm.contains("name") && arm["name"].is_string())
      names.push_back(arm["name"]);
  const auto known = [&](const json& name) {
    return name.is_string() && std::ranges::count(names, name.get<std::string>()) > 0;
  };
  const json& all = reader.raw("questions");
  for (const json& one : all.is_array() ? all : json::array({all})) {
    if (!one.is_array() || one.size() != 2 || !known(one[0]) || !known(one[1]) || one[0] == one[1])
      reader.fail("questions",
                  "found " + one.dump() + ", expected a list of pairs of two of: " + joined(names));
    questions.push_back({one[0], one[1]});
  }
  return questions;
}

ArmConfig read_arm(ConfigReader reader, const ExperimentConfig& experiment) {
  ArmConfig arm;
  arm.name = reader.string("name");
  check_name(reader, "name", arm.name);
  reader.boolean("skip", false);  // true only where the caller left the arm out
  read_fields(reader, arm);
  if (reader.has("mean")) {
    if (arm.init_from.empty()) reader.fail("mean", "expected init_from with it");
    ConfigReader mean = reader.object("mean");
    read_fields(mean, arm.mean);
    mean.finish();
  }
  if (arm.grow && arm.init_from.empty())
    reader.fail("grow", "found true, expected init_from with it");
  if (arm.init_from.empty() || reader.has("model")) arm.model = reader.raw("model");
  if (!arm.model.is_null() && !arm.model.is_object()) reader.fail("model", "expected an object");
  ConfigReader train = reader.object("train");
  arm.train = read_train_config(train);
  check_monitor(train, *experiment.task, &arm.train);
  // With init_from the model is a patch of the record's, and is checked with it.
  std::optional<ConfigReader> model;
  if (arm.init_from.empty()) model.emplace(arm.model, reader.file(), reader.path_of("model"));
  arm.settings = experiment.task->read_arm(
      {reader, train, model ? &*model : nullptr, experiment.tokenizer.settings.vocab_size},
      *experiment.settings);
  train.finish();
  reader.finish();
  return arm;
}

}  // namespace

namespace {

// "features" of a file's root, or of an arm's override of it; null where it has none.
json* features_of(json* part) {
  return part->is_object() && part->contains("features") && (*part)["features"].is_object()
             ? &(*part)["features"]
             : nullptr;
}

void fill_in_sample(json* features) {
  if (features != nullptr && features->contains("train_limit"))
    features->emplace("train_sample", kRandomExamples);
}

// Sets keys that a file lacks to the values of new runs. A stored run's configuration comes another
// way and keeps the values of its time.
void fill_in_defaults(json* root) {
  if (!root->is_object()) return;
  json* features = features_of(root);
  fill_in_sample(features);
  if (!root->contains("arms") || !(*root)["arms"].is_array()) return;
  for (json& arm : (*root)["arms"]) {
    if (!arm.is_object()) continue;
    if (arm.contains("train") && arm["train"].is_object())
      arm["train"].emplace("schedule_end", kAboveZero);
    if (arm.contains("override") && (features == nullptr || !features->contains("train_sample")))
      fill_in_sample(features_of(&arm["override"]));
  }
}

}  // namespace

ExperimentConfig load_experiment(const std::string& path, const std::string& profile,
                                 const std::vector<std::string>& overrides,
                                 const std::vector<std::string>& arms) {
  const std::vector<ExperimentFile> files = read_with_bases(path);
  json root = merged(files, profile);
  check_name(ConfigReader(files.back().profiles, path, "profiles"), profile, profile);
  for (const std::string& override : overrides) apply_override(&root, override);
  expand_sweep(&root, path);
  leave_out_others(&root, arms);
  fill_in_defaults(&root);
  for (const std::string& task : task_names())
    if (root.contains("task") && root["task"] == task) task_kind(task).fill_in_defaults(&root);
  if (!root.contains("name")) root["name"] = name_of(path);
  try {
    return experiment_from_json(root, path, profile);
  } catch (const KeyError& error) {
    throw usage_error(file_of(error, root, files, profile) + ": " + error.path() + ": " +
                      error.reason());
  }
}

ExperimentConfig experiment_from_json(const json& root, const std::string& file,
                                      const std::string& profile) {
  ConfigReader reader(root, file);
  return experiment_from_json(root, file, profile, task_kind(reader.choice("task", task_names())));
}

ExperimentConfig experiment_from_json(const json& root, const std::string& file,
                                      const std::string& profile, const TaskKind& task) {
  ConfigReader reader(root, file);
  reader.has("task");
  ExperimentConfig experiment;
  experiment.file = file;
  experiment.profile = profile;
  read_fields(reader, experiment);
  check_name(reader, "name", experiment.name);
  experiment.task = &task;
  experiment.data = read_data_source(reader);
  if (experiment.data.is_text() && !task.reads_text())
    reader.fail("data",
                "found files, expected a list of data set ids, or labelled files {\"train\": "
                "FILE}: a " +
                    std::string(task.name()) + " experiment does not read plain text");
  if (experiment.data.labelled && task.reads_text())
    reader.fail("data", "found labelled files, expected text {\"files\": [paths]}: a " +
                            std::string(task.name()) + " experiment reads plain text");
  experiment.tokenizer = read_tokenizer(reader.object("tokenizer"));
  experiment.seeds = reader.integers("seeds", 0, INT64_MAX);
  if (experiment.seeds.empty()) reader.fail("seeds", "expected a list of whole numbers");
  experiment.settings = experiment.task->read(reader);
  experiment.questions = read_questions(reader, root);
  std::set<std::string> names;
  std::vector<ConfigReader> arms = reader.objects("arms");
  for (size_t i = 0; i < arms.size(); ++i) {
    ConfigReader& arm = arms[i];
    if (arm.boolean("skip", false)) continue;
    if (arm.has("override")) {
      ExperimentConfig own = experiment_from_json(overridden(root, i, arm), file, profile, task);
      experiment.arms.push_back(own.arms.front());
      experiment.overridden.insert_or_assign(own.arms.front().name, std::move(own));
    } else {
      experiment.arms.push_back(read_arm(arm, experiment));
    }
    if (!names.insert(experiment.arms.back().name).second)
      arm.fail("name", "found \"" + experiment.arms.back().name + "\" twice");
  }
  if (experiment.arms.empty()) reader.fail("arms", "expected a list of arms");
  reader.finish();
  return experiment;
}

const ExperimentConfig& experiment_of(const ExperimentConfig& experiment, const ArmConfig& arm) {
  const auto own = experiment.overridden.find(arm.name);
  return own == experiment.overridden.end() ? experiment : own->second;
}

json to_json(const ExperimentConfig& experiment, const ArmConfig& arm, int64_t seed) {
  json one = written_fields(arm);
  one["name"] = arm.name;
  one["train"] = to_json(arm.train);
  if (!arm.model.is_null()) one["model"] = arm.model;
  if (!arm.mean.run.empty()) one["mean"] = written_fields(arm.mean);
  json out = written_fields(experiment);
  out["task"] = experiment.task->name();
  out["data"] = to_json(experiment.data);
  out["tokenizer"] = written_fields(experiment.tokenizer);
  out["seeds"] = json::array({seed});
  experiment.task->write(*experiment.settings, &out);
  experiment.task->write_arm(*arm.settings, &one);
  out["arms"] = json::array({one});
  return out;
}

}  // namespace minibert

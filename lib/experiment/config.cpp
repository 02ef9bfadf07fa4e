#include "experiment/config.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "experiment/overrides.h"

namespace minibert {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Names become file names.
void check_name(const ConfigReader& reader, const std::string& key, const std::string& name) {
  const auto ok = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.';
  };
  if (name.empty() || name[0] == '.' || !std::all_of(name.begin(), name.end(), ok))
    reader.fail(key, "found \"" + name + "\", expected letters, digits, '_', '-' or '.'");
}

TokenizerSource read_tokenizer(ConfigReader reader) {
  TokenizerSource source;
  source.run = reader.string("run", "");
  source.data = reader.strings("data");
  source.settings.type = reader.choice("type", {"bpe", "unigram"}, source.settings.type);
  source.settings.vocab_size = static_cast<int32_t>(
      reader.integer("vocab_size", kSmallestVocabulary, 65535, source.settings.vocab_size));
  source.settings.character_coverage =
      reader.number("character_coverage", 0.9, 1, source.settings.character_coverage);
  source.settings.byte_fallback = reader.boolean("byte_fallback", source.settings.byte_fallback);
  reader.finish();
  if (source.run.empty() == source.data.empty())
    reader.fail("run", "expected either \"run\" (a record) or \"data\" (data sets to train on)");
  return source;
}

json qa_json(const QaSettings& qa) {
  return {{"max_length", qa.features.max_length},
          {"max_question", qa.features.max_question},
          {"stride", qa.features.stride},
          {"max_answer", qa.spans.max_answer},
          {"n_best", qa.spans.n_best},
          {"training_windows", qa.cover_in_training ? "covering" : "first"}};
}

ArmConfig read_arm(ConfigReader reader, const ExperimentConfig& experiment, const QaSettings& qa) {
  ArmConfig arm;
  arm.name = reader.string("name");
  check_name(reader, "name", arm.name);
  reader.boolean("skip", false);  // true only where the caller left the arm out
  arm.init_from = reader.string("init_from", "");
  if (!arm.init_from.empty() && experiment.task == "pretrain")
    reader.fail("init_from",
                "found \"" + arm.init_from + "\", expected none in a pretrain experiment");
  if (arm.init_from.empty() || reader.has("model")) arm.model = reader.raw("model");
  if (experiment.task == "korquad") arm.qa = read_qa_settings(reader.object("features"), qa);
  ConfigReader train = reader.object("train");
  arm.train = read_train_config(train);
  reader.finish();
  const bool phased = !arm.train.phases.empty();
  if (experiment.task == "korquad" && phased)
    train.fail("phases", "found a list, expected none in a korquad experiment");
  if (arm.init_from.empty()) {
    // The vocabulary is the tokenizer's and known later; all else is checked here.
    ConfigReader model(arm.model, reader.file(), reader.path_of("model"));
    const ModelConfig config = read_model_config(model, experiment.tokenizer.settings.vocab_size);
    if (experiment.task == "pretrain" && config.kind != "bert")
      model.fail("kind", "found \"" + config.kind + "\", expected bert in a pretrain experiment");
    if (config.kind == "bert" && experiment.task == "korquad" &&
        arm.qa.features.max_length > config.bert.max_positions)
      model.fail("max_positions", "found " + std::to_string(config.bert.max_positions) +
                                      ", expected at least features.max_length " +
                                      std::to_string(arm.qa.features.max_length));
  } else if (!arm.model.is_null() && !arm.model.is_object()) {
    reader.fail("model", "expected an object");
  }
  return arm;
}

std::vector<std::string> experiment_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".json" && entry.path().stem() != "datasets")
      names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

QaSettings read_qa_settings(ConfigReader reader, QaSettings qa) {
  const auto integer = [&](const char* key, int64_t min, int64_t max, int& value) {
    value = static_cast<int>(reader.integer(key, min, max, value));
  };
  integer("max_length", 16, 4096, qa.features.max_length);
  integer("max_question", 1, 1024, qa.features.max_question);
  integer("stride", 1, 4096, qa.features.stride);
  integer("max_answer", 1, 1024, qa.spans.max_answer);
  integer("n_best", 1, 1000, qa.spans.n_best);
  qa.cover_in_training = reader.choice("training_windows", {"first", "covering"},
                                       qa.cover_in_training ? "covering" : "first") == "covering";
  reader.finish();
  if (qa.features.max_question + 8 > qa.features.max_length)
    reader.fail("max_question", "found " + std::to_string(qa.features.max_question) +
                                    ", expected at least 8 less than max_length " +
                                    std::to_string(qa.features.max_length));
  return qa;
}

std::string experiment_path(const std::string& name_or_file, const std::string& folder) {
  if (name_or_file.ends_with(".json") || name_or_file.find('/') != std::string::npos)
    return name_or_file;
  const std::string path = folder + "/" + name_or_file + ".json";
  if (fs::exists(path)) return path;
  const auto names = experiment_names(folder);
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
  const std::string near = nearest(name_or_file, names);
  throw usage_error("unknown experiment \"" + name_or_file + "\"" +
                    (near.empty() ? "" : ", did you mean \"" + near + "\"?") + " (in " + folder +
                    ": " + (list.empty() ? "none" : list) + ")");
}

ExperimentConfig load_experiment(const std::string& path, const std::string& profile,
                                 const std::vector<std::string>& overrides) {
  json root = read_json(path);
  if (!root.is_object()) throw usage_error(path + ": expected an object");
  const json profiles = root.contains("profiles") ? root["profiles"] : json::object();
  root.erase("profiles");
  if (!profiles.is_object()) throw usage_error(path + ": profiles: expected an object");
  if (!profiles.contains(profile)) {
    std::string list;
    for (const auto& [name, value] : profiles.items()) list += (list.empty() ? "" : ", ") + name;
    throw usage_error(path + ": profile: found \"" + profile + "\", expected one of: " + list);
  }
  merge_profile(&root, profiles[profile], path, "profiles." + profile);
  for (const std::string& override : overrides) apply_override(&root, override);
  if (!root.contains("name")) root["name"] = fs::path(path).stem();
  return experiment_from_json(root, path, profile);
}

ExperimentConfig experiment_from_json(const json& root, const std::string& file,
                                      const std::string& profile) {
  ConfigReader reader(root, file);
  ExperimentConfig experiment;
  experiment.file = file;
  experiment.profile = profile;
  experiment.name = reader.string("name");
  check_name(reader, "name", experiment.name);
  experiment.task = reader.choice("task", {"korquad", "pretrain"});
  experiment.title = reader.string("title", experiment.name);
  experiment.protocol = reader.choice("protocol", {"standard", "course"}, experiment.protocol);
  experiment.data = reader.strings("data");
  if (experiment.data.empty()) reader.fail("data", "expected a list of data set ids");
  experiment.tokenizer = read_tokenizer(reader.object("tokenizer"));
  experiment.seeds = reader.integers("seeds", 0, INT64_MAX);
  if (experiment.seeds.empty()) reader.fail("seeds", "expected a list of whole numbers");
  QaSettings qa;
  if (experiment.task == "korquad") {
    qa = read_qa_settings(reader.object("features"), qa);
  } else {
    ConfigReader instances = reader.object("instances");
    experiment.dev_limit = instances.integer("dev_limit", 1, 1000000, experiment.dev_limit);
    experiment.instances = read_instance_settings(instances);
    instances.finish();
  }
  std::set<std::string> names;
  for (ConfigReader& arm : reader.objects("arms")) {
    if (arm.boolean("skip", false)) continue;
    experiment.arms.push_back(read_arm(arm, experiment, qa));
    if (!names.insert(experiment.arms.back().name).second)
      arm.fail("name", "found \"" + experiment.arms.back().name + "\" twice");
  }
  if (experiment.arms.empty()) reader.fail("arms", "expected a list of arms");
  reader.finish();
  return experiment;
}

json to_json(const ExperimentConfig& experiment, const ArmConfig& arm, int64_t seed) {
  json tokenizer;
  if (!experiment.tokenizer.run.empty())
    tokenizer = {{"run", experiment.tokenizer.run}};
  else
    tokenizer = {{"data", experiment.tokenizer.data},
                 {"type", experiment.tokenizer.settings.type},
                 {"vocab_size", experiment.tokenizer.settings.vocab_size},
                 {"character_coverage", experiment.tokenizer.settings.character_coverage},
                 {"byte_fallback", experiment.tokenizer.settings.byte_fallback}};
  json one = {{"name", arm.name}, {"model", arm.model}, {"train", to_json(arm.train)}};
  if (!arm.init_from.empty()) one["init_from"] = arm.init_from;
  if (arm.model.is_null()) one.erase("model");
  json out = {{"name", experiment.name},     {"task", experiment.task},
              {"title", experiment.title},   {"protocol", experiment.protocol},
              {"data", experiment.data},     {"tokenizer", tokenizer},
              {"seeds", json::array({seed})}};
  if (experiment.task == "korquad") {
    one["features"] = qa_json(arm.qa);
  } else {
    out["instances"] = to_json(experiment.instances);
    out["instances"]["dev_limit"] = experiment.dev_limit;
  }
  out["arms"] = json::array({one});
  return out;
}

}  // namespace minibert

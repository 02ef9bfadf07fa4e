// An experiment file, read strictly, with its profile and overrides applied.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "experiment/data_source.h"
#include "task/task_kind.h"
#include "text/tokenizer.h"

namespace minibert {

struct TokenizerSource {
  std::string run;                 // take the tokenizer of this record, or else
  std::string wordpiece;           // the vocabulary in this data set, or else
  std::vector<std::string> data;   // train one on the text of the first of these that is there, or
  std::vector<std::string> files;  // on these text files and folders
  TokenizerSettings settings;
};

struct ExperimentConfig {
  std::string file;  // for messages
  std::string name;
  const TaskKind* task = nullptr;
  std::string title;
  std::string profile;
  std::string protocol = "standard";  // standard: stop on dev | course: stop on the reported split
  bool fetch = true;  // false: takes what is there, as downloading would make another job of it
  DataSource data;
  TokenizerSource tokenizer;
  std::shared_ptr<const TaskSettings> settings;  // the task's own keys
  std::vector<ArmConfig> arms;
  std::vector<int64_t> seeds;
  std::vector<Question> questions;  // of the whole file; no part of what a run computes or stores
  // Arms with an "override", by name: each as the experiment of that arm alone, with the keys that the
  // override sets. A record stores that experiment, so that it needs no overrides to be read.
  std::map<std::string, ExperimentConfig> overridden;
};

// The experiment that an arm is run as: one of `overridden`, else the given one.
const ExperimentConfig& experiment_of(const ExperimentConfig& experiment, const ArmConfig& arm);

// The file with what it extends and `profile` merged in (experiment_file.h) and then `overrides`
// ("arms[0].train.epochs=2"; the value is JSON, else a string). Checks everything that can be
// checked without data; errors are usage Errors that name the key. Arms that are not among `arms` (empty: all
// are) are left out, unread; names that no arm has are not looked at here (planned_runs).
ExperimentConfig load_experiment(const std::string& path, const std::string& profile,
                                 const std::vector<std::string>& overrides,
                                 const std::vector<std::string>& arms = {});

// The same from JSON already merged; `file` is for messages. An arm's "override" patches (RFC 7386)
// the experiment's data, tokenizer (replaced whole) and the task's own keys for that arm.
ExperimentConfig experiment_from_json(const nlohmann::json& json, const std::string& file,
                                      const std::string& profile);
// The same for a task that need not be in the registry; the JSON's "task", if any, is not read.
ExperimentConfig experiment_from_json(const nlohmann::json& json, const std::string& file,
                                      const std::string& profile, const TaskKind& task);

// The part of a run's /config that does not depend on data: everything that experiment_from_json
// needs to make the same run again, with this one arm and seed.
nlohmann::json to_json(const ExperimentConfig& experiment, const ArmConfig& arm, int64_t seed);

}  // namespace minibert

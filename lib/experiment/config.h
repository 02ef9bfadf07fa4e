// Reads an experiment file strictly, with its profile and overrides.
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
  bool fetch = true;  // false: never downloads, because a download would make it another job
  DataSource data;
  TokenizerSource tokenizer;
  std::shared_ptr<const TaskSettings> settings;  // the task's own keys
  std::vector<ArmConfig> arms;
  std::vector<int64_t> seeds;
  std::vector<Question> questions;  // the whole file's; no part of what a run computes or stores
  // Arms with an "override", by name: for each the experiment of that arm alone, with the
  // override's keys. A record stores this experiment, so that it can be read without overrides.
  std::map<std::string, ExperimentConfig> overridden;
};

// Returns the experiment of an arm's run: one of `overridden`, else the given one.
const ExperimentConfig& experiment_of(const ExperimentConfig& experiment, const ArmConfig& arm);

// Reads a file merged with the files it extends and with `profile` (experiment_file.h), then with
// `overrides` ("arms[0].train.epochs=2"; the value is JSON, else a string). Checks everything that
// needs no data; throws a usage Error naming the key. Arms outside `arms` (empty: all) are left
// out, unread; planned_runs() checks unknown names in it.
ExperimentConfig load_experiment(const std::string& path, const std::string& profile,
                                 const std::vector<std::string>& overrides,
                                 const std::vector<std::string>& arms = {});

// Reads JSON that is already merged; `file` is for messages. An arm's "override" patches (RFC 7386)
// the experiment's data, tokenizer (replaced whole) and the task's own keys for that arm.
ExperimentConfig experiment_from_json(const nlohmann::json& json, const std::string& file,
                                      const std::string& profile);
// Does the same for a task that need not be in the registry; ignores the JSON's "task".
ExperimentConfig experiment_from_json(const nlohmann::json& json, const std::string& file,
                                      const std::string& profile, const TaskKind& task);

// Writes the part of a run's /config that does not depend on data: everything that
// experiment_from_json needs to make the same run again, with this one arm and seed.
nlohmann::json to_json(const ExperimentConfig& experiment, const ArmConfig& arm, int64_t seed);

}  // namespace minibert

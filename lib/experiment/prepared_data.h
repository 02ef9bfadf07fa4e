// The data of an experiment: found, verified, tokenized, and shared by all its arms.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "experiment/config.h"

namespace minibert {

struct PreparationOptions {
  std::string data_dir;  // empty: MINIBERT_DATA, else "data"
  std::string registry = "experiments/datasets.json";
  std::string cache = "build/cache";
  bool fetch = false;  // downloads a missing data set first
  int threads = 1;
};

class PreparedData {
 public:
  // Finds the data and the tokenizer, or trains the tokenizer if the experiment says so. `say` gets
  // one line for each choice. Throws the errors of data/registry.h and text/tokenizer.h.
  PreparedData(const ExperimentConfig& experiment, const PreparationOptions& options,
               std::function<void(const std::string&)> say);

  const Tokenizer& tokenizer() const { return *tokenizer_; }
  // The record's /data: id, files with SHA-256, examples of every split.
  const nlohmann::json& description() const { return description_; }
  const std::string& id() const { return id_; }

  // The task's own view of the data.
  TaskData& task_data() { return *task_data_; }

 private:
  std::string id_;
  nlohmann::json description_;
  std::unique_ptr<Tokenizer> tokenizer_;
  std::unique_ptr<TaskData> task_data_;
};

}  // namespace minibert

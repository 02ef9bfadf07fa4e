// The data of an experiment, found, verified, tokenized and kept for all its arms.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "data/splits.h"
#include "experiment/arm_work.h"
#include "experiment/config.h"

namespace minibert {

// A dev split is the same for every experiment, whatever its own seed: figures compare.
InstanceSettings dev_instance_settings(InstanceSettings training, int64_t limit);

struct PreparationOptions {
  std::string data_dir;  // empty: MINIBERT_DATA, else "data"
  std::string registry = "experiments/datasets.json";
  std::string cache = "build/cache";
  bool fetch = false;  // try to download a missing data set first
  int threads = 1;
};

class PreparedData {
 public:
  // Finds the data and the tokenizer (training it where the experiment says so). `say` gets one
  // line for each choice. Errors as in data/registry.h and text/tokenizer.h.
  PreparedData(const ExperimentConfig& experiment, const PreparationOptions& options,
               std::function<void(const std::string&)> say);

  const Tokenizer& tokenizer() const { return *tokenizer_; }
  // What the record stores as /data: id, files with SHA-256, examples of every split.
  const nlohmann::json& description() const { return description_; }
  const std::string& id() const { return id_; }

  // Features of the three splits for these settings; made once for equal settings.
  QaSplits questions(const QaFeatureSettings& features);
  // Training instances at this length, from the cache where it has them.
  std::shared_ptr<const InstanceFile> training_instances(int64_t n_seq);
  std::shared_ptr<const InstanceFile> dev_instances();

 private:
  std::shared_ptr<const InstanceFile> instances(const std::vector<std::string>& files,
                                                const InstanceSettings& settings);

  const ExperimentConfig& experiment_;
  int threads_;
  std::string cache_;
  std::function<void(const std::string&)> say_;
  std::string id_;
  nlohmann::json description_;
  std::unique_ptr<Tokenizer> tokenizer_;
  std::shared_ptr<const KorquadSplits> korquad_;
  std::vector<std::string> train_text_, dev_text_;
  std::map<std::string, QaSplits> questions_;
  std::map<int64_t, std::shared_ptr<const InstanceFile>> training_;
  std::shared_ptr<const InstanceFile> dev_;
};

}  // namespace minibert

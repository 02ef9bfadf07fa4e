// A text as pretraining instances: for training at any length, and for evaluation.
#pragma once

#include <map>
#include <memory>

#include "data/instances/instance_file.h"
#include "data/splits/evaluation_texts.h"
#include "data/splits/question_data.h"
#include "task/pretrain/blanks.h"
#include "task/pretrain/pretrain_settings.h"
#include "task/task_kind.h"

namespace minibert {

class PretrainData : public TaskData {
 public:
  // Throws Error if the data set has no text.
  explicit PretrainData(const LoadRequest& request);

  std::map<std::string, size_t> examples() override;
  nlohmann::json statistics() override;

  // The instances of the training split at this length, from the cache if it has them.
  std::shared_ptr<const InstanceFile> training(int64_t n_seq);
  // The instances for evaluation: at most dev_limit of the split. Seed and masks
  // (kEvaluationMaskSeed) do not depend on the experiment's, so that figures compare. Throws a
  // usage Error if the data set has no text for the split.
  std::shared_ptr<const InstanceFile> measured(Split split);
  // Sentences with blanks from the data set's training files of kind blanks, without those that
  // overlap excluded texts; null if it has none.
  std::shared_ptr<const Blanks> blanks();

  const PretrainSettings& settings() const { return settings_; }
  const Tokenizer& tokenizer() const { return tokenizer_; }

 private:
  std::shared_ptr<const InstanceFile> instances(const std::vector<std::string>& files,
                                                const InstanceSettings& settings,
                                                const TextOverlap* exclude) const;
  const TextOverlap* excluded();  // nullptr: no exclusion

  ResolvedData data_;
  TextFiles text_;
  std::unique_ptr<const TextOverlap> exclude_;  // made with the first training instances
  const Tokenizer& tokenizer_;
  PretrainSettings settings_;
  int threads_;
  std::string cache_;
  std::function<void(const std::string&)> say_;
  std::function<ResolvedData(const std::string&)> find_;
  std::map<int64_t, std::shared_ptr<const InstanceFile>> training_;
  std::map<Split, std::shared_ptr<const InstanceFile>> measured_;
  std::shared_ptr<const Blanks> blanks_;
};

}  // namespace minibert

// A model that tags pieces: its training, and its tags for characters.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/heads.h"
#include "rules/text_windows.h"
#include "task/tagging/tagging_data.h"
#include "train/bucketed_task.h"

namespace minibert {

class TaggingModel : public Model {
 public:
  TaggingModel(const ModelConfig& config, int64_t tags, double head_dropout);

  // Fills all weights from the seed alone.
  void initialize(uint64_t seed);
  // ids, segments [B, S] int64 -> [B, S, tags] float32. Dropout (train mode) follows from `key`.
  torch::Tensor logits(const torch::Tensor& ids, const torch::Tensor& segments, uint64_t key);
  const TagHead& head() const { return *head_; }

 private:
  std::shared_ptr<TagHead> head_;
};

// Returns entity_macro_f1 and character_macro_f1 (0-1, as KLUE defines them), entities (gold),
// examples; columns text, gold and prediction, with the tags of all characters but spaces.
Evaluation score_tags(const TaggingSplit& split, std::vector<std::string> prediction);

// Indices into the tags, one for each piece of each sentence.
using TagTargets = std::vector<std::vector<int64_t>>;

// Returns the logits [pieces, tags] of one window of a text; leaves the model in eval mode.
std::vector<float> piece_logits_of(TaggingModel& model, const TextInputWindow& window);

// Returns score_tags() of the model's predictions, and loss, the mean cross-entropy of a piece in
// nats; leaves the model in eval mode. The forward passes are spread over `workers`.
Evaluation evaluate_tags(TaggingModel& model, const TaggingSplit& split, const TagTargets& targets,
                         const std::vector<std::string>& tags, torch::Device device,
                         Workers* workers = nullptr);

class TaggingTask : public BucketedTask {
 public:
  TaggingTask(std::shared_ptr<TaggingModel> model, std::shared_ptr<const TaggingSplit> train,
              TagTargets targets, std::shared_ptr<const TaggingSplit> dev, TagTargets dev_targets,
              std::vector<std::string> tags, const TrainConfig& config, torch::Device device,
              uint64_t seed);

  torch::nn::Module& module() override { return *model_; }
  // targets[0]: [B, S] int64, kNoTag where no piece is tagged.
  Batch make_batch(int64_t index, Part part) override;
  StepOutput step(const Batch& batch, uint64_t key) override;
  std::optional<StepFlops> flops(const Batch& batch) const override;
  Metrics evaluate_dev(Workers* workers) override;

 private:
  std::shared_ptr<TaggingModel> model_;
  std::shared_ptr<const TaggingSplit> train_, dev_;
  TagTargets targets_, dev_targets_;
  std::vector<std::string> tags_;
  torch::Device device_;
};

}  // namespace minibert

// Trains a model that judges whole texts, and computes its outputs for all examples of a split.
#pragma once

#include <memory>
#include <vector>

#include "task/sequence/objective.h"
#include "task/sequence/sequence_model.h"
#include "train/bucketed_task.h"

namespace minibert {

// Returns [rows of the split, C] float32 on the CPU, in the split's order; leaves the model in eval
// mode. The forward passes are spread over `workers`.
torch::Tensor outputs_of(SequenceModel& model, const SequenceSplit& split, torch::Device device,
                         Workers* workers = nullptr);

class SequenceTask : public BucketedTask {
 public:
  // `objective` must outlive the task.
  SequenceTask(std::shared_ptr<SequenceModel> model, std::shared_ptr<const SequenceSplit> train,
               std::shared_ptr<const SequenceSplit> dev, const SequenceObjective& objective,
               std::vector<std::string> labels, const TrainConfig& config, torch::Device device,
               uint64_t seed);

  torch::nn::Module& module() override { return *model_; }
  // targets[0]: float32 [B], or [B, C] with several an example, as in SequenceObjective::targets.
  Batch make_batch(int64_t index, Part part) override;
  StepOutput step(const Batch& batch, uint64_t key) override;
  std::optional<StepFlops> flops(const Batch& batch) const override;
  Metrics evaluate_dev(Workers* workers) override;

 private:
  std::shared_ptr<SequenceModel> model_;
  std::shared_ptr<const SequenceSplit> train_, dev_;
  const SequenceObjective& objective_;
  std::vector<std::string> labels_;
  torch::Device device_;
  std::vector<double> targets_;
};

}  // namespace minibert

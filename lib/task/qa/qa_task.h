// Trains on questions: windows that hold their answer, batches, the loss.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "task/qa/qa_evaluate.h"
#include "train/bucketed_task.h"

namespace minibert {

// Batch::targets: positions in the window, [B] int64.
enum QaTarget { kStart, kEnd };

class QaTask : public BucketedTask {
 public:
  // Leaves out examples without their answer in a training window. Throws a usage Error if the
  // model reads fewer positions than a window has, and Error if no example is left.
  QaTask(std::shared_ptr<QaModel> model, std::shared_ptr<const QaSplit> train,
         std::shared_ptr<const QaSplit> dev, const QaSettings& settings, const TrainConfig& config,
         torch::Device device, uint64_t seed);

  torch::nn::Module& module() override { return *model_; }
  Batch make_batch(int64_t index, Part part) override;
  StepOutput step(const Batch& batch, uint64_t key) override;
  std::optional<StepFlops> flops(const Batch& batch) const override;
  Metrics evaluate_dev(Workers* workers) override;
  size_t training_windows() const { return windows_.size(); }
  size_t discarded() const { return discarded_; }  // training questions left out

 private:
  std::shared_ptr<QaModel> model_;
  std::shared_ptr<const QaSplit> train_, dev_;
  QaSettings settings_;
  torch::Device device_;
  std::vector<QaWindow> windows_;
  size_t discarded_ = 0;
};

}  // namespace minibert

// Masked LM (or next piece) and sentence order (or next sentence) on instances, for BERT.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/instances/instance_file.h"
#include "model/pretraining_model.h"
#include "task/pretrain/distillation.h"
#include "task/pretrain/pretrain_batch.h"
#include "task/pretrain/pretrain_evaluate.h"
#include "train/bucketed_task.h"

namespace minibert {

// Epochs over one instance file. `mask` and `single_piece_share` (the share of instances masked
// piece by piece) apply to instances that are masked anew each epoch.
struct PretrainPhase {
  std::shared_ptr<const InstanceFile> instances;
  MaskSettings mask;
  int64_t epochs = 1;
  int64_t batch_size = 64;
  double single_piece_share = 0;
  int64_t batch_pieces = 0;         // used instead of batch_size unless 0
  double mask_probability_end = 0;  // mask.probability at the phase's end; 0: constant
};

// How a model is evaluated and what it learns.
struct PretrainOptions {
  PretrainMeasuring measuring = {};
  double nsp_weight = 1;
  bool nsp_double_softmax = false;
  std::shared_ptr<const Distillation> distillation = nullptr;  // only with mlm
  // Read in every epoch beside the instances; null: none. Not with `distillation` or clm.
  std::shared_ptr<const Blanks> blanks = nullptr;
};

class PretrainTask : public BucketedTask {
 public:
  PretrainTask(std::shared_ptr<PretrainingModel> model, std::vector<PretrainPhase> phases,
               std::shared_ptr<const InstanceFile> dev, PretrainOptions options,
               torch::Device device, uint64_t seed);

  torch::nn::Module& module() override { return *model_; }
  Batch make_batch(int64_t index, Part part) override;
  bool follows_position() const override;
  void set_position(const TrainingPosition& position) override { position_ = position; }
  StepOutput step(const Batch& batch, uint64_t key) override;
  std::optional<StepFlops> flops(const Batch& batch) const override;
  Metrics evaluate_dev(Workers* workers) override;
  // Masked LM with a tokenizer shows one evaluated instance, another in every epoch.
  std::string dev_example() const override { return dev_example_; }

 private:
  // Throws Error if an instance is longer than the model's input.
  void check_fits(const InstanceFile& instances) const;
  // The present share of masked pieces.
  double mask_probability() const;

  std::shared_ptr<PretrainingModel> model_;
  std::vector<PretrainPhase> phases_;
  std::shared_ptr<const InstanceFile> dev_;
  PretrainOptions options_;
  torch::Device device_;
  std::vector<int64_t> phase_starts_;  // steps before each phase, then all steps
  TrainingPosition position_;
  std::string dev_example_;
};

}  // namespace minibert

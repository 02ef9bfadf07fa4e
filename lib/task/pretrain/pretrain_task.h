// Masked LM (or the next piece) and sentence order (or next sentence) on instances, for BERT.
#pragma once

#include <functional>
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

// A stretch of epochs over one instance file. `mask` and `single_piece_share` (of the instances,
// masked piece by piece) are for instances that are masked anew each epoch.
struct PretrainPhase {
  std::shared_ptr<const InstanceFile> instances;
  MaskSettings mask;
  int64_t epochs = 1;
  int64_t batch_size = 64;
  double single_piece_share = 0;
  int64_t batch_pieces = 0;         // instead of batch_size, where it is not 0
  double mask_probability_end = 0;  // what mask.probability comes to by step; 0: it stays
};

// How a model is measured and what it learns.
struct PretrainOptions {
  PretrainMeasuring measuring = {};
  double nsp_weight = 1;
  std::shared_ptr<const Distillation> distillation = nullptr;  // of mlm alone
  uint64_t draws = 0;  // of masks, after which they repeat; 0: they do not
  // A teacher's targets for a phase and a draw of masks, asked for when an epoch begins, so that none are made for
  // epochs that do not come; null: none are kept.
  std::function<std::shared_ptr<const TeacherTargets>(const PretrainPhase&, uint64_t draw)>
      targets = nullptr;
  // Read in every epoch beside the instances; null: none. Not with `distillation`, nor with clm.
  std::shared_ptr<const Blanks> blanks = nullptr;
};

class PretrainTask : public BucketedTask {
 public:
  PretrainTask(std::shared_ptr<PretrainingModel> model, std::vector<PretrainPhase> phases,
               std::shared_ptr<const InstanceFile> dev, PretrainOptions options,
               torch::Device device, uint64_t seed);

  torch::nn::Module& module() override { return *model_; }
  void begin_epoch(int64_t epoch) override;
  Batch make_batch(int64_t index, Part part) override;
  bool follows_position() const override;
  void set_position(const TrainingPosition& position) override { position_ = position; }
  StepOutput step(const Batch& batch, uint64_t key) override;
  std::optional<StepFlops> flops(const Batch& batch) const override;
  Metrics evaluate_dev(Workers* workers) override;
  // Masked LM with a tokenizer shows one of the measured instances, another in every epoch.
  std::string dev_example() const override { return dev_example_; }

 private:
  // Throws Error where an instance is longer than the model reads.
  void check_fits(const InstanceFile& instances) const;
  // The share of masked pieces where training stands.
  double mask_probability() const;
  // The draw of masks of this epoch.
  uint64_t draw() const;

  std::shared_ptr<PretrainingModel> model_;
  std::vector<PretrainPhase> phases_;
  std::shared_ptr<const InstanceFile> dev_;
  PretrainOptions options_;
  torch::Device device_;
  std::vector<int64_t> phase_starts_;  // steps before each phase, and all of them
  TrainingPosition position_;
  std::shared_ptr<const TeacherTargets> targets_;  // of this epoch
  std::string dev_example_;
};

}  // namespace minibert

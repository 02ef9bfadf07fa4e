// Masked LM (or the next piece) and sentence order (or next sentence) on instances, for BERT.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/instance_file.h"
#include "model/pretraining_model.h"
#include "task/pretrain/distillation.h"
#include "task/pretrain/pretrain_batch.h"
#include "train/trainer.h"

namespace minibert {

// A stretch of epochs over one instance file. `mask` and `single_piece_share` (of the instances,
// masked piece by piece) are for instances that are masked anew each epoch.
struct PretrainPhase {
  std::shared_ptr<const InstanceFile> instances;
  MaskSettings mask;
  int64_t epochs = 1;
  int64_t batch_size = 64;
  double single_piece_share = 0;
};

// How a model is measured and what it learns.
struct PretrainOptions {
  Objective objective = Objective::mlm;
  MaskSettings mask = {};  // of the instances that are measured
  // Bytes of text that each piece stands for, by id (piece_bytes); empty: no loss_per_byte.
  std::vector<uint8_t> piece_bytes = {};
  double nsp_weight = 1;
  std::shared_ptr<const Distillation> distillation = nullptr;  // of mlm alone
};

// Of every piece, a space before it not counted; one character of three bytes for [UNK].
std::vector<uint8_t> piece_bytes(const Tokenizer& tokenizer);

// mlm_loss, mlm_accuracy (over masked positions, 0-1), nsp_loss, nsp_accuracy (0-1), instances, and
// the course's own figures: course_mlm_loss (20 times the mean over all n_seq positions) and
// course_nsp_loss (softmax applied twice). nsp_* are absent where the instances have no such task.
// loss_per_byte: the loss of all predicted pieces over the bytes of their text, in nats, which compares
// models of different tokenizers. With clm lm_loss and lm_accuracy stand in mlm_loss's and
// mlm_accuracy's place, and there is no course_mlm_loss.
// Masks follow from `mask_seed` alone, so that the figure of a model never changes.
Metrics evaluate_pretraining(PretrainingModel& model, const InstanceFile& instances,
                             const PretrainOptions& options, uint64_t mask_seed,
                             torch::Device device, int64_t batch_size = 64);

inline constexpr uint64_t kEvaluationMaskSeed = 20260101;

class PretrainTask : public Task {
 public:
  PretrainTask(std::shared_ptr<PretrainingModel> model, std::vector<PretrainPhase> phases,
               std::shared_ptr<const InstanceFile> dev, PretrainOptions options,
               torch::Device device, uint64_t seed);

  torch::nn::Module& module() override { return *model_; }
  int64_t epochs() const override;
  int64_t batch_count(int64_t epoch) override;
  void begin_epoch(int64_t epoch) override;
  Batch make_batch(int64_t index, Part part) override;
  StepOutput step(const Batch& batch, uint64_t key) override;
  Metrics evaluate_dev() override;

 private:
  const PretrainPhase& phase_of(int64_t epoch) const;

  std::shared_ptr<PretrainingModel> model_;
  std::vector<PretrainPhase> phases_;
  std::shared_ptr<const InstanceFile> dev_;
  PretrainOptions options_;
  torch::Device device_;
  uint64_t seed_;
  int64_t epoch_ = 0;
  std::vector<std::vector<uint32_t>> batches_;
};

}  // namespace minibert

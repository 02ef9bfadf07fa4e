// Learning from a stored teacher (DistilBERT: Sanh et al. 2019): its probabilities, softened, its
// hidden states, and the masked pieces themselves.
#pragma once

#include <memory>
#include <string>

#include "model/pretraining_model.h"
#include "task/pretrain/pretrain_settings.h"
#include "task/pretrain/teacher_cache.h"
#include "task/task_kind.h"

namespace minibert {

class Distillation {
 public:
  // Reads the teacher's record. Throws Error where it is no pretraining run with weights, a usage
  // Error where it has another tokenizer than the student, another hidden size where the cosine of
  // hidden states is wanted, or no masked-LM head (none, or one of next pieces) where its
  // probabilities are.
  Distillation(const DistillationSettings& settings, const std::string& file,
               const BertConfig& student, const Tokenizer& tokenizer, const Compute& compute);

  // Throws a usage Error where the teacher does not read `longest` pieces at once.
  void check_length(int64_t longest) const;

  // The student's start: what the teacher has under the same name in the same shape, and for layer i
  // of the student's L the teacher's layer i * k, k its layers / L rounded down. Of another width little
  // fits: such a student starts by itself or from `init_from`.
  void start(PretrainingModel& student) const;

  // The teacher's probabilities at the temperature for a masked batch (teacher_cache.h), and what of it and its settings
  // decides them.
  torch::Tensor probabilities(const Batch& batch) const;
  nlohmann::json decides_targets() const;

  // The loss of what the student made of a masked batch (hidden_BQD, as encode() gives it at the
  // batch's queries): soft * T^2 * KL(teacher || student, both at temperature T) + mlm * cross-entropy,
  // means over the masked positions, + cosine * (1 - cosine of the hidden states), the mean over
  // the queries (the only one where nothing is masked). DistilBERT takes the first and the last over all
  // pieces, this one over those that the heads read. `mlm`: the student's own loss and right guesses. The teacher
  // computes nothing where the batch has its targets.
  torch::Tensor loss(PretrainingModel& student, const torch::Tensor& hidden, const Batch& batch,
                     MlmOutput* mlm) const;

  // What the teacher's pass costs, which has no backward one, and is none where targets are kept.
  double flops(const PassShape& shape, int64_t predicted) const {
    if (settings_.cached > 0) return 0;
    return teacher_->flops(shape, predicted, /*judges=*/false).forward;
  }

  const std::string& weights_sha256() const { return sha256_; }

 private:
  DistillationSettings settings_;
  Compute compute_;
  std::string file_;
  RunRecord record_;
  std::string sha256_;
  std::shared_ptr<PretrainingModel> teacher_;
};

}  // namespace minibert

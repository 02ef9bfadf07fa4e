// Learns from a stored teacher (DistilBERT: Sanh et al. 2019): its softened probabilities, its
// hidden states, and the masked pieces themselves.
#pragma once

#include <memory>
#include <string>

#include "model/pretraining_model.h"
#include "task/pretrain/pretrain_batch.h"
#include "task/pretrain/pretrain_settings.h"
#include "task/task_kind.h"

namespace minibert {

class Distillation {
 public:
  // Reads the teacher's record. Throws Error if it is no pretraining run with weights. Throws a
  // usage Error if its tokenizer differs from the student's, if the cosine of hidden states is
  // wanted and the hidden size differs, or if its probabilities are wanted and it has no masked-LM
  // head (none, or one for next pieces).
  Distillation(const DistillationSettings& settings, const std::string& file,
               const BertConfig& student, const Tokenizer& tokenizer, const Compute& compute);

  // Throws a usage Error if the teacher reads fewer than `longest` pieces.
  void check_length(int64_t longest) const;

  // Initializes the student: the teacher's weights of equal name and shape, and for layer i of the
  // student's L the teacher's layer i * k, with k = its layers / L, rounded down. With another
  // width few weights fit: such a student starts by itself or from `init_from`.
  void start(PretrainingModel& student) const;

  // Returns the student's loss on a masked batch (hidden_BQD: encode() at the batch's queries):
  // soft * T^2 * KL(teacher || student, both at temperature T) + mlm * cross-entropy, means over
  // the masked positions, + cosine * (1 - cosine of the hidden states), the mean over the queries
  // (the only term if nothing is masked). DistilBERT averages the first and the last over all
  // pieces, this loss over the pieces that the heads read. `mlm` receives the student's own loss
  // and correct guesses.
  torch::Tensor loss(PretrainingModel& student, const torch::Tensor& hidden, const Batch& batch,
                     MlmOutput* mlm) const;

  // The cost of the teacher's pass, which has no backward pass.
  double flops(const PassShape& shape, int64_t predicted) const {
    return teacher_->flops(shape, predicted, /*judges=*/false).forward;
  }

  const std::string& weights_sha256() const { return sha256_; }

 private:
  DistillationSettings settings_;
  std::string file_;
  RunRecord record_;
  std::string sha256_;
  std::shared_ptr<PretrainingModel> teacher_;
};

}  // namespace minibert

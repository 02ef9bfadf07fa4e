// Evaluates a model on instances: figures, also by kind of target, and predictions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/instances/instance_file.h"
#include "model/pretraining_model.h"
#include "task/pretrain/pretrain_settings.h"
#include "task/task_kind.h"
#include "text/tokenizer.h"

namespace minibert {

// Settings of an evaluation. The tokenizer, if given, must outlive it.
struct PretrainMeasuring {
  Objective objective = Objective::mlm;
  MaskSettings mask = {};                // for instances that are masked anew
  const Tokenizer* tokenizer = nullptr;  // null: no loss_per_byte and no texts of predictions
  bool kinds = true;                     // also figures of each kind of target
};

// Returns the bytes of text in each piece, by id without a leading space; three, one character, for
// [UNK].
std::vector<uint8_t> piece_bytes(const Tokenizer& tokenizer);

// Returns figures: mlm_loss, mlm_accuracy (over masked positions, 0-1), nsp_loss, nsp_accuracy
// (0-1), instances, and the course's own: course_mlm_loss (20 times the mean over all n_seq
// positions) and course_nsp_loss (softmax applied twice). nsp_* are absent if the instances have no
// such task. loss_per_byte is the loss of all predicted pieces over the bytes of their text, in
// nats, which compares models with different tokenizers. With clm lm_loss and lm_accuracy replace
// mlm_loss and mlm_accuracy, and course_mlm_loss is absent.
//
// Masked LM also has mlm_accuracy_KIND and mlm_loss_KIND, over the targets of each kind that
// occurs: by the model's input there (masked, kept, random), by the piece's place in its word
// (whole, first, middle, last), and by whether the instance shows the same piece elsewhere (seen,
// unseen).
//
// Predictions have a row an instance: id (its number and a hash of its pieces); the means of the
// figures above over its targets, with the weights `targets` (and `bytes` of their text); nsp_*;
// and for masked LM gold and prediction, the targets' pieces with spaces between.
//
// Masks follow from `mask_seed` alone, so that a model's figures never change. The forward passes
// are spread over `workers`.
Evaluation evaluate_pretraining(PretrainingModel& model, const InstanceFile& instances,
                                const PretrainMeasuring& measuring, uint64_t mask_seed,
                                torch::Device device, Workers* workers = nullptr,
                                int64_t batch_size = 64);

inline constexpr uint64_t kEvaluationMaskSeed = 20260101;

// Shows instance `index`, as evaluate_pretraining masks it, and its predictions in two lines: the
// text with [MASK], and for every target "gold → guess ✓" or "✗". With a sentence task a third line
// tells if B follows A, and the guess.
std::string shown_instance(const InstanceFile& instances, size_t index,
                           const PretrainMeasuring& measuring, uint64_t mask_seed,
                           const Predictions& predictions);

}  // namespace minibert

// How good a model is on instances: figures, by kind of target too, and what it predicted.
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

// What is measured. The tokenizer, where there is one, outlives it.
struct PretrainMeasuring {
  Objective objective = Objective::mlm;
  MaskSettings mask = {};                // of instances that are masked anew
  const Tokenizer* tokenizer = nullptr;  // null: no loss_per_byte and no texts of predictions
  bool kinds = true;                     // figures of each kind of target too
};

// Bytes of text that each piece stands for, by id, a space before it not counted; one character of three
// bytes for [UNK].
std::vector<uint8_t> piece_bytes(const Tokenizer& tokenizer);

// Figures: mlm_loss, mlm_accuracy (over masked positions, 0-1), nsp_loss, nsp_accuracy (0-1), instances,
// and the course's own: course_mlm_loss (20 times the mean over all n_seq positions) and
// course_nsp_loss (softmax applied twice). nsp_* are absent where the instances have no such task.
// loss_per_byte: the loss of all predicted pieces over the bytes of their text, in nats, which compares
// models of different tokenizers. With clm lm_loss and lm_accuracy stand in mlm_loss's and
// mlm_accuracy's place, and there is no course_mlm_loss.
//
// Masked LM also has mlm_accuracy_KIND and mlm_loss_KIND, over the targets of each kind that occurs: by what
// the model sees there (masked, kept, random), by the piece's place in its word (whole, first, middle,
// last), and by whether the instance shows the same piece elsewhere (seen, unseen).
//
// Predictions, a row an instance: id (its number and a hash of its pieces); the means over its targets of
// the figures above, with `targets` (and `bytes` of their text) to weigh them by; nsp_*; and of
// masked LM gold and prediction, the pieces of the targets with spaces between.
//
// Masks follow from `mask_seed` alone, so that the figure of a model never changes. The forward passes are
// spread over `workers`.
Evaluation evaluate_pretraining(PretrainingModel& model, const InstanceFile& instances,
                                const PretrainMeasuring& measuring, uint64_t mask_seed,
                                torch::Device device, Workers* workers = nullptr,
                                int64_t batch_size = 64);

inline constexpr uint64_t kEvaluationMaskSeed = 20260101;

// Instance `index` as evaluate_pretraining masks it and what was predicted for it, in two lines for a
// person: the text with [MASK], and of every target "gold → guess ✓" or "✗". With a sentence task a third
// says whether B follows A, and the guess.
std::string shown_instance(const InstanceFile& instances, size_t index,
                           const PretrainMeasuring& measuring, uint64_t mask_seed,
                           const Predictions& predictions);

}  // namespace minibert

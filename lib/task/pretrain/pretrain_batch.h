// Instances as batches of one objective.
#pragma once

#include <cstdint>
#include <vector>

#include "data/instances/instance_file.h"
#include "task/pretrain/blanks.h"
#include "task/pretrain/pretrain_settings.h"
#include "task/pretrain/teacher_targets.h"
#include "train/trainer.h"

namespace minibert {

// Batch::targets, int64: positions_M into B*S, labels_M, and nsp_B where an instance has a sentence
// task (kIgnoredLabel where another has none); queries_BQ, the positions whose hidden states the heads read ([CLS] first), and the masked ones
// among them, M into B*Q; of a teacher's targets that are kept, K pieces and their probabilities (float32),
// both [M, K]. For clm queries are undefined (all positions are read) and the masked
// queries are the positions, of which each predicts the piece behind it.
enum PretrainTarget {
  kPositions,
  kLabels,
  kNsp,
  kQueries,
  kMaskedQueries,
  kTaughtPieces,
  kTaughtProbabilities,
  kTargets
};

inline constexpr int64_t kIgnoredLabel = -100;  // cross_entropy leaves it out

struct BatchSettings {
  Objective objective = Objective::mlm;
  MaskSettings mask = {};  // of mlm, where masks are dynamic
  double single_piece_share = 0;
  const TeacherTargets* targets = nullptr;  // of these very masks; null: none
  // Examples that are numbered behind the instances; their targets stand beside those of instances, of which the label
  // alone is probable. Null: none.
  const Blanks* blanks = nullptr;
};

// A part of the batch of the instances of these numbers; of mlm masked by the stream (seed, epoch,
// number). A part's queries are as many as the whole batch's. Throws Error where targets are of other masks.
Batch pretrain_batch(const InstanceFile& file, const std::vector<uint32_t>& indices,
                     const BatchSettings& settings, uint64_t seed, uint64_t epoch, Part part = {});

// Pieces of every instance, and of every blank behind them where there are any.
std::vector<uint32_t> lengths_of(const InstanceFile& file, const Blanks* blanks = nullptr);

}  // namespace minibert

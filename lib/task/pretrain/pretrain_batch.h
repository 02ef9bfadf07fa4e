// Makes batches of instances for one objective.
#pragma once

#include <cstdint>
#include <vector>

#include "data/instances/instance_file.h"
#include "task/pretrain/blanks.h"
#include "task/pretrain/pretrain_settings.h"
#include "train/trainer.h"

namespace minibert {

// Batch::targets, int64 unless noted: positions_M into B*S; labels_M; nsp_B if an instance has a
// sentence task (kIgnoredLabel for instances without one); queries_BQ, the positions whose hidden
// states the heads read ([CLS] first); the masked ones among them, M into B*Q; with blanks,
// K pieces and their probabilities (float32), both [M, K]. With clm queries are
// undefined (all positions are read), and the masked queries are the positions, each of which
// predicts the next piece.
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

inline constexpr int64_t kIgnoredLabel = -100;  // ignored by cross_entropy

struct BatchSettings {
  Objective objective = Objective::mlm;
  MaskSettings mask = {};  // for mlm with dynamic masks
  double single_piece_share = 0;
  // Examples numbered behind the instances. With blanks every instance gets targets, too: its label
  // with probability 1. Null: none.
  const Blanks* blanks = nullptr;
};

// Makes a part of the batch of the instances with these numbers; for mlm, masks follow the stream
// (seed, epoch, number). A part has as many queries as the whole batch.
Batch pretrain_batch(const InstanceFile& file, const std::vector<uint32_t>& indices,
                     const BatchSettings& settings, uint64_t seed, uint64_t epoch, Part part = {});

// Returns the number of pieces of every instance and of every blank behind them.
std::vector<uint32_t> lengths_of(const InstanceFile& file, const Blanks* blanks = nullptr);

}  // namespace minibert

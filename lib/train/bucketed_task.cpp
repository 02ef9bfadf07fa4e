#include "train/bucketed_task.h"

#include "core/error.h"
#include "train/batching.h"

namespace minibert {

int64_t BucketedTask::epochs() const {
  int64_t epochs = 0;
  for (const BatchPhase& phase : phases_) epochs += phase.epochs;
  return epochs;
}

size_t BucketedTask::phase_of(int64_t epoch) const {
  int64_t left = epoch;
  for (size_t i = 0; i < phases_.size(); ++i) {
    if (left < phases_[i].epochs) return i;
    left -= phases_[i].epochs;
  }
  throw Error("there is no epoch " + std::to_string(epoch));
}

int64_t BucketedTask::batch_count(int64_t epoch) {
  const BatchPhase& phase = phases_[phase_of(epoch)];
  if (phase.batch_pieces > 0) {
    int64_t& count = counts_[epoch];
    if (count == 0) count = static_cast<int64_t>(batches_of(epoch).size());
    return count;
  }
  // Pools of bucketed_batches are whole batches but for the last, so this is exact.
  return (static_cast<int64_t>(phase.lengths.size()) + phase.batch_size - 1) / phase.batch_size;
}

std::vector<std::vector<uint32_t>> BucketedTask::batches_of(int64_t epoch) const {
  const BatchPhase& phase = phases_[phase_of(epoch)];
  const Rng random(seed_, "batches", static_cast<uint64_t>(epoch));
  if (phase.batch_pieces > 0) return batches_of_pieces(phase.lengths, phase.batch_pieces, random);
  return bucketed_batches(phase.lengths, phase.batch_size, random);
}

void BucketedTask::begin_epoch(int64_t epoch) {
  epoch_ = epoch;
  phase_ = phase_of(epoch);
  batches_ = batches_of(epoch);
}

}  // namespace minibert

// A task whose epoch reads every training example once, in random batches of similar length.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "train/trainer.h"

namespace minibert {

// Epochs over the same examples in batches of a number of examples, or of pieces.
struct BatchPhase {
  std::vector<uint32_t> lengths;  // pieces of every example
  int64_t batch_size = 0, epochs = 0;
  int64_t batch_pieces = 0;  // pieces in a batch; 0: batch_size examples
};

class BucketedTask : public Task {
 public:
  int64_t epochs() const override;
  int64_t batch_count(int64_t epoch) override;
  void begin_epoch(int64_t epoch) override;

 protected:
  // Batches follow from the seed and the epoch.
  explicit BucketedTask(uint64_t seed) : seed_(seed) {}
  // Adds a phase, whose epochs follow the earlier ones'. A task's constructor adds at least one.
  void add_phase(BatchPhase phase) { phases_.push_back(std::move(phase)); }

  uint64_t seed() const { return seed_; }
  int64_t epoch() const { return epoch_; }  // the latest epoch to begin, and its phase
  size_t phase() const { return phase_; }
  const std::vector<uint32_t>& lengths() const { return phases_[phase_].lengths; }
  // Returns the examples of one batch of the epoch.
  const std::vector<uint32_t>& batch(int64_t index) const {
    return batches_[static_cast<size_t>(index)];
  }

 private:
  size_t phase_of(int64_t epoch) const;
  std::vector<std::vector<uint32_t>> batches_of(int64_t epoch) const;

  uint64_t seed_;
  std::vector<BatchPhase> phases_;
  int64_t epoch_ = 0;
  size_t phase_ = 0;
  std::vector<std::vector<uint32_t>> batches_;
  // Batches by epoch, for batches of pieces: counting them means making them all.
  std::map<int64_t, int64_t> counts_;
};

}  // namespace minibert

// A task whose epoch is every training example once, in random batches of neighbours in length.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "train/trainer.h"

namespace minibert {

// Epochs over the same examples in batches of so many examples, or pieces.
struct BatchPhase {
  std::vector<uint32_t> lengths;  // pieces of every example
  int64_t batch_size = 0, epochs = 0;
  int64_t batch_pieces = 0;  // pieces of a batch, in place of its examples; 0: batch_size
};

class BucketedTask : public Task {
 public:
  int64_t epochs() const override;
  int64_t batch_count(int64_t epoch) override;
  void begin_epoch(int64_t epoch) override;

 protected:
  // Batches follow from the seed and the epoch.
  explicit BucketedTask(uint64_t seed) : seed_(seed) {}
  // Adds a phase, whose epochs follow those of the phases before. The constructor of a task adds at least one.
  void add_phase(BatchPhase phase) { phases_.push_back(std::move(phase)); }

  uint64_t seed() const { return seed_; }
  int64_t epoch() const { return epoch_; }  // the one that began last, and its phase
  size_t phase() const { return phase_; }
  const std::vector<uint32_t>& lengths() const { return phases_[phase_].lengths; }
  // Examples of one batch of the epoch.
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
  // Batches of an epoch that are of so many pieces: all of them were made to count them.
  std::map<int64_t, int64_t> counts_;
};

}  // namespace minibert

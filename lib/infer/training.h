// Fills masks with a model at several points of its training, from one file (format/mbq_series.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "infer/fill_mask.h"

namespace minibert::infer {

struct CheckpointFill {
  uint32_t share = 0;  // of the training, in thousandths
  FillResult found;
};

class Training {
 public:
  // Copies what it needs. Fails like read_series(), and like FillMask::load() for any file inside.
  Status load(std::span<const uint8_t> series, Kernel kernel = best_kernel());
  bool empty() const { return checkpoints_.empty(); }
  std::vector<uint32_t> shares() const;
  // The bytes of the last checkpoint's `.mbq`, aligned for FillMask::load().
  std::span<const uint8_t> last() const;

  // Returns the guesses of every checkpoint, in the order of training. Fails like FillMask::fill().
  Status fill(std::string_view text, size_t top, std::vector<CheckpointFill>* all);

 private:
  struct alignas(16) Block {
    uint8_t bytes[16];
  };
  struct Checkpoint {
    uint32_t share = 0;
    size_t size = 0;
    std::unique_ptr<Block[]> file;
    FillMask model;
  };
  std::vector<std::unique_ptr<Checkpoint>> checkpoints_;
};

}  // namespace minibert::infer

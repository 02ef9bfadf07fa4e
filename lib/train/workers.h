// The processes that train one model together, as the training loop sees them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/torch.h"

namespace minibert {

// Every process makes the same calls in the same order. Every call throws Error when another
// process is lost or has failed, and names it where it can.
class Workers {
 public:
  virtual ~Workers() = default;
  virtual int64_t rank() const = 0;        // from 0; process 0 prepares and writes
  virtual int64_t size() const = 0;        // of them
  virtual int64_t local_rank() const = 0;  // on this machine

  // Replaces values (on the CPU, contiguous) by their sum over all processes, with the same bits in
  // each.
  void sum(const torch::Tensor& values) {
    begin_sum(values);
    end_sums();
  }
  // Begins such a sum and returns at once. Several may be under way; leave values alone until
  // end_sums.
  virtual void begin_sum(torch::Tensor values) = 0;
  virtual void end_sums() = 0;
  // Replaces values (on the CPU, contiguous) by those of process 0, with the same bits.
  virtual void broadcast(torch::Tensor values) = 0;
  // Returns what process 0 passes; the others wait for it, however long it takes.
  virtual std::string from_first(const std::string& text) = 0;
  // Returns what every process passes, by rank.
  virtual std::vector<std::string> from_all(const std::string& text) = 0;
  // Tells the others that this process ends, and why; they end with that.
  virtual void fail(const std::string& why) noexcept = 0;
};

}  // namespace minibert

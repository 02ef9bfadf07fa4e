// The processes that train one model together, as the training loop sees them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/torch.h"

namespace minibert {

// Every process makes the same calls in the same order. Every call throws Error if another process
// is lost or has failed, and names it if possible.
class Workers {
 public:
  virtual ~Workers() = default;
  virtual int64_t rank() const = 0;        // from 0; process 0 prepares and writes
  virtual int64_t size() const = 0;        // the number of processes
  virtual int64_t local_rank() const = 0;  // on this machine

  // Replaces values (on the CPU, contiguous) by their sum over all processes, bit-equal in each.
  void sum(const torch::Tensor& values) {
    begin_sum(values);
    end_sums();
  }
  // Begins such a sum and returns at once. Several may run; leave the values alone until end_sums.
  virtual void begin_sum(torch::Tensor values) = 0;
  virtual void end_sums() = 0;
  // Replaces values (on the CPU, contiguous) by process 0's, with the same bits.
  virtual void broadcast(torch::Tensor values) = 0;
  // Returns process 0's text; the others wait for it, however long it takes.
  virtual std::string from_first(const std::string& text) = 0;
  // Returns the texts of all processes, by rank.
  virtual std::vector<std::string> from_all(const std::string& text) = 0;
  // Tells the other processes that this one ends, and why; they end with that reason.
  virtual void fail(const std::string& why) noexcept = 0;
};

}  // namespace minibert

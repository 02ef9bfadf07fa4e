// Sums the gradients of several processes during the backward pass.
#pragma once

#include <torch/csrc/autograd/variable.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "core/torch.h"
#include "train/optimizer.h"
#include "train/workers.h"

namespace minibert {

// Sends gradients in buckets, the last parameters' first, because a backward pass reaches them
// first. A bucket is sent as soon as all its gradients are there (Li et al. 2020, PyTorch
// Distributed, section 3.2). All processes send the same buckets in the same order, whichever
// gradients they have.
class Reducer {
 public:
  // The size of PyTorch DDP's first bucket. A later one, 25 MiB, would hold most of these models
  // whole; smaller ones take longer in total.
  static constexpr int64_t kBucketBytes = 1 << 20;

  Reducer(NamedTensors parameters, Workers& workers, int64_t bucket_bytes = kBucketBytes);
  ~Reducer();
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;

  // Call before the last backward pass of a step (a step may have several, or none): sends the
  // gradients that this pass completes. The first step sends none yet, because it shows which
  // parameters have gradients.
  void begin();
  // Call after that pass: every gradient becomes its sum over all processes, also for a parameter
  // without one here. One that no process's loss reached has none.
  void finish();

 private:
  struct Bucket {
    torch::Tensor flat;  // on the CPU
    size_t gradients = 0, missing = 0;
  };
  // A parameter's slot in its bucket.
  struct GradientSlot {
    torch::Tensor values;
    size_t bucket = 0;
    bool filled = false;
  };
  void lay_out();
  void add_buckets(const std::vector<size_t>& parameters);
  void fill(size_t parameter);
  void send_full();
  void send_late();

  NamedTensors parameters_;
  Workers& workers_;
  int64_t bucket_bytes_;
  // std::shared_ptr, or an intrusive pointer from LibTorch 2.15 on; in the order of parameters_.
  using Accumulator =
      decltype(torch::autograd::impl::grad_accumulator(std::declval<const torch::Tensor&>()));
  std::vector<Accumulator> accumulators_;
  std::vector<uintptr_t> hooks_;
  std::vector<GradientSlot> slots_;
  torch::Tensor reached_;  // by parameter: how many processes have a gradient in this step
  std::vector<Bucket> buckets_;
  size_t early_ = 0;  // the number of leading buckets that every step sends
  size_t sent_ = 0;   // how many of these this step has sent
  bool begun_ = false;
};

}  // namespace minibert

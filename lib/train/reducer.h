// Sums the gradients of several processes while the backward pass goes on.
#pragma once

#include <torch/csrc/autograd/variable.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "core/torch.h"
#include "train/optimizer.h"
#include "train/workers.h"

namespace minibert {

// Gradients are sent in buckets, those of the last parameters first, as a backward pass reaches
// them. A bucket is sent as soon as all of its gradients are there (Li et al. 2020, PyTorch
// Distributed, section 3.2). All processes send the same buckets in the same order, whichever
// gradients they have.
class Reducer {
 public:
  // The size of PyTorch DDP's first bucket: one of its later ones, 25 MiB, would hold most of these
  // models whole, and smaller ones take longer in total.
  static constexpr int64_t kBucketBytes = 1 << 20;

  Reducer(NamedTensors parameters, Workers& workers, int64_t bucket_bytes = kBucketBytes);
  ~Reducer();
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;

  // Call before the last backward pass of a step (a step may have several, or none): sends the
  // gradients that this pass completes. The first step sends none yet, since it is not known before
  // which parameters have gradients.
  void begin();
  // Call after that pass: every gradient becomes its sum over all processes, also of a parameter
  // that has none here. What no process' loss reached in this step has none, as in one process.
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
  // A std::shared_ptr, from LibTorch 2.15 on an intrusive pointer. As the parameters.
  using Accumulator =
      decltype(torch::autograd::impl::grad_accumulator(std::declval<const torch::Tensor&>()));
  std::vector<Accumulator> accumulators_;
  std::vector<uintptr_t> hooks_;
  std::vector<GradientSlot> slots_;
  torch::Tensor reached_;  // of every parameter, how many processes have a gradient in this step
  std::vector<Bucket> buckets_;
  size_t early_ = 0;  // buckets, the first ones, that are sent in every step
  size_t sent_ = 0;   // of them in this step
  bool begun_ = false;
};

}  // namespace minibert

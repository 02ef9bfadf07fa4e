// Gradients of several processes, summed while the backward pass goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/torch.h"
#include "train/optimizer.h"
#include "train/workers.h"

namespace minibert {

// Gradients go in buckets, the last parameters' first, as a backward pass comes to them; a bucket is on its
// way as soon as all of its gradients are there (Li et al. 2020, PyTorch Distributed, section 3.2). All
// processes send the same buckets in the same order, whichever gradients come.
class Reducer {
 public:
  // PyTorch DDP's first bucket (its later ones, of 25 MiB, would hold most of these models whole): sums of
  // smaller ones take longer together.
  static constexpr int64_t kBucketBytes = 1 << 20;

  Reducer(NamedTensors parameters, Workers& workers, int64_t bucket_bytes = kBucketBytes);
  ~Reducer();
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;

  // Before the last backward pass of a step, of which there may be several or none: what it leaves is sent
  // on its way. (In the first step nothing is yet: which parameters have gradients is not known before.)
  void begin();
  // After it: every gradient is its sum over all processes; of a parameter that has none here, the others'.
  // Throws Error when a parameter has one that had none, in any process, in the first step.
  void finish();

 private:
  struct Bucket {
    torch::Tensor flat;  // on the CPU
    size_t gradients = 0, missing = 0;
  };
  // A parameter's place in its bucket; undefined where the loss does not reach the parameter.
  struct Place {
    torch::Tensor values;
    size_t bucket = 0;
    bool filled = false;
  };
  void lay_out();
  void fill(size_t parameter);
  void send_full();

  NamedTensors parameters_;
  Workers& workers_;
  int64_t bucket_bytes_;
  std::vector<std::shared_ptr<torch::autograd::Node>> accumulators_;  // as the parameters
  std::vector<uintptr_t> hooks_;
  std::vector<Place> places_;
  std::vector<Bucket> buckets_;
  size_t sent_ = 0;  // buckets of this step
  bool begun_ = false;
};

}  // namespace minibert

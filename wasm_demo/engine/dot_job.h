// A part of a matrix product that the engine offers to its helper: a second thread, a worker that runs
// relaxed_simd.wasm on the engine's own memory (helper.cpp, dot_helper.cpp). Of plain numbers, because
// two compilers must lay it out alike.
#pragma once

#include <stdint.h>

namespace minibert::infer {

enum DotJobState : int32_t {
  kDotIdle,
  kDotOffered,  // by the engine
  kDotTaken,    // by the helper, or back by an engine that was done with its own part first
  kDotDone,     // by the helper
};

struct DotJob {
  int32_t state;   // a DotJobState; changed by atomic operations alone
  int32_t alive;   // the helper is there
  int32_t asleep;  // it waits for `state` to change, and must be woken
  int32_t in16;    // which of the two relaxed-SIMD kernels
  // Its arguments (lib/infer/kernels/dot_kernels.h).
  const uint8_t* activations;
  int32_t low, stride, rows;
  const int8_t* weights;
  int32_t outputs, k_size;
  int32_t* sums;
  int32_t ld;
  int16_t* workspace;
};

}  // namespace minibert::infer

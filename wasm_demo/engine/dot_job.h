// A part of a matrix product that the engine offers to its helper: a worker thread that runs
// relaxed_simd.wasm on the engine's own memory (helper.cpp, dot_helper.cpp). It holds only plain
// numbers, because two compilers must lay it out alike.
#pragma once

#include <stdint.h>

namespace minibert::infer {

enum DotJobState : int32_t {
  kDotIdle,
  kDotOffered,  // by the engine
  kDotTaken,    // by the helper, or taken back by an engine that has finished its own part
  kDotDone,     // by the helper
};

struct DotJob {
  int32_t state;   // a DotJobState; changed only by atomic operations
  int32_t alive;   // there is a helper
  int32_t asleep;  // the helper waits for `state` to change and must be woken
  int32_t in16;    // selects one of the two relaxed-SIMD kernels
  // The kernel's arguments (lib/infer/kernels/dot_kernels.h).
  const uint8_t* activations;
  int32_t low, stride, rows;
  const int8_t* weights;
  int32_t outputs, k_size;
  int32_t* sums;
  int32_t ld;
  int16_t* workspace;
};

}  // namespace minibert::infer

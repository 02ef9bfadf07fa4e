// The engine's side of dot_job.h. Compiled with atomic instructions, which work on any memory; only waiting
// needs a shared one, and only the helper waits.
#include "helper.h"

#include <emscripten/emscripten.h>

#include "dot_job.h"

namespace minibert::infer {
namespace {

constexpr int64_t kWorthwhile = 1 << 20;  // multiplications; some ten microseconds
constexpr int32_t kTogether = 8;          // outputs that the kernels compute at a time

DotJob job = {};
int16_t workspace_of_helper[kDotWorkspace];
DotKernel kernels[2] = {};

template <bool kIn16>
void dot_in_two(const uint8_t* activations, int32_t low, int32_t stride, int32_t rows,
                const int8_t* weights, int32_t outputs, int32_t k_size, int32_t* sums, int32_t ld,
                int16_t* workspace) {
  const DotKernel dot = kernels[kIn16];
  const auto part = [&](int32_t first, int32_t count) {
    dot(activations, low, stride, rows, weights + int64_t(first) * k_size, count, k_size,
        sums + first, ld, workspace);
  };
  if (!helper_is_there() || int64_t(rows) * outputs * k_size < kWorthwhile) return part(0, outputs);

  const int32_t own = outputs / 2 / kTogether * kTogether;
  job.in16 = kIn16;
  job.activations = activations;
  job.low = low;
  job.stride = stride;
  job.rows = rows;
  job.weights = weights + int64_t(own) * k_size;
  job.outputs = outputs - own;
  job.k_size = k_size;
  job.sums = sums + own;
  job.ld = ld;
  job.workspace = workspace_of_helper;
  __atomic_store_n(&job.state, kDotOffered, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&job.asleep, __ATOMIC_SEQ_CST) != 0)
    __builtin_wasm_memory_atomic_notify(&job.state, 1);
  part(0, own);
  // The helper may still be waking up, or its core be at other work.
  int32_t offered = kDotOffered;
  if (__atomic_compare_exchange_n(&job.state, &offered, kDotTaken, false, __ATOMIC_SEQ_CST,
                                  __ATOMIC_SEQ_CST)) {
    part(own, outputs - own);
  } else {
    while (__atomic_load_n(&job.state, __ATOMIC_SEQ_CST) != kDotDone) {
    }
  }
  __atomic_store_n(&job.state, kDotIdle, __ATOMIC_SEQ_CST);
}

}  // namespace

DotKernel with_helper(DotKernel dot, bool in16) {
  kernels[in16] = dot;
  return in16 ? dot_in_two<true> : dot_in_two<false>;
}

bool helper_is_there() { return __atomic_load_n(&job.alive, __ATOMIC_SEQ_CST) != 0; }

// Returns help_dot()'s argument, for the helping worker.
extern "C" EMSCRIPTEN_KEEPALIVE DotJob* minibert_helper_job() { return &job; }

}  // namespace minibert::infer

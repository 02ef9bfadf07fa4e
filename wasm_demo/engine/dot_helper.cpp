// The helper's side of dot_job.h. Part of relaxed_simd.wasm: neither a stack nor data.
#include "dot_job.h"
#include "infer/kernels/dot_kernels.h"

namespace minibert::infer {
namespace {

// Looks at the job, some two milliseconds of them: between two products of one text the engine does other
// things, and to wake a thread takes longer than most products.
constexpr int32_t kLooks = 400'000;

void run(const DotJob& job) {
  const auto dot = job.in16 != 0 ? dot_wasm_relaxed_simd16 : dot_wasm_relaxed_simd;
  dot(job.activations, job.low, job.stride, job.rows, job.weights, job.outputs, job.k_size,
      job.sums, job.ld, job.workspace);
}

}  // namespace

// Never returns: takes offered jobs and sleeps in between.
extern "C" void help_dot(DotJob* job) {
  __atomic_store_n(&job->alive, 1, __ATOMIC_SEQ_CST);
  for (;;) {
    int32_t looks = 0, state;
    while ((state = __atomic_load_n(&job->state, __ATOMIC_SEQ_CST)) != kDotOffered) {
      if (++looks < kLooks) continue;
      __atomic_store_n(&job->asleep, 1, __ATOMIC_SEQ_CST);
      __builtin_wasm_memory_atomic_wait32(&job->state, state, -1);
      __atomic_store_n(&job->asleep, 0, __ATOMIC_SEQ_CST);
      looks = 0;
    }
    if (!__atomic_compare_exchange_n(&job->state, &state, kDotTaken, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
      continue;
    run(*job);
    __atomic_store_n(&job->state, kDotDone, __ATOMIC_SEQ_CST);
  }
}

}  // namespace minibert::infer

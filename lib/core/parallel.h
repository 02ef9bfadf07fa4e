// Distributes the items of a list over several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace minibert {

// Each of `threads` threads, including the caller's, makes a worker with make_worker() and calls it
// with numbers from 0 … count-1; every number is taken once, in order. Rethrows the exception of
// the smallest number, whatever the number of threads; a failed make_worker() counts as number 0.
template <class MakeWorker>
void parallel_over(size_t count, int threads, const MakeWorker& make_worker) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  size_t failed_at = count + 1;
  std::exception_ptr failure;
  const auto run = [&] {
    size_t i = 0;
    try {
      auto worker = make_worker();
      for (i = next++; i < count; i = next++) worker(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (i < failed_at) {
        failed_at = i;
        failure = std::current_exception();
      }
      next = count;
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int t = 1; t < threads; ++t) helpers.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace minibert

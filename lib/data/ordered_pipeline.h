// Lets several threads work on a stream of items, in order, with few items in memory.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace minibert {

// Returns the largest number of items between produce and consume.
inline size_t pipeline_depth(int threads) { return 2 * static_cast<size_t>(threads) + 2; }

// Calls, until produce returns false: item = produce(), result = work(item) on one of `threads`
// threads (on the caller's when there is one), consume(result) in the items' order. consume ends
// everything by returning false. produce and consume run on the caller's thread.
//
// The number of threads changes neither what consume sees nor the exception that comes out, which
// is the first in the items' order; one behind consume's end is dropped.
template <class Item, class Result>
void ordered_pipeline(int threads, const std::function<bool(Item*)>& produce,
                      const std::function<Result(Item&&)>& work,
                      const std::function<bool(Result&&)>& consume) {
  if (threads <= 1) {
    for (Item item; produce(&item); item = Item())
      if (!consume(work(std::move(item)))) return;
    return;
  }

  struct Slot {
    Item item;
    std::optional<Result> result;
    std::exception_ptr error;
    bool done = false;
  };
  std::mutex mutex;
  std::condition_variable work_waits, result_waits;
  std::deque<std::shared_ptr<Slot>> todo;
  bool closing = false;

  const auto run_worker = [&] {
    std::unique_lock lock(mutex);
    while (true) {
      work_waits.wait(lock, [&] { return closing || !todo.empty(); });
      if (closing) return;
      const std::shared_ptr<Slot> slot = std::move(todo.front());
      todo.pop_front();
      lock.unlock();
      try {
        slot->result.emplace(work(std::move(slot->item)));
      } catch (...) {
        slot->error = std::current_exception();
      }
      lock.lock();
      slot->done = true;
      result_waits.notify_one();
    }
  };
  std::vector<std::jthread> workers;
  struct Closer {
    std::mutex& mutex;
    std::condition_variable& work_waits;
    bool& closing;
    ~Closer() {
      const std::lock_guard lock(mutex);
      closing = true;
      work_waits.notify_all();
    }
  } const closer{mutex, work_waits, closing};  // before the workers are joined
  for (int i = 0; i < threads; ++i) workers.emplace_back(run_worker);

  std::deque<std::shared_ptr<Slot>> in_order;
  std::exception_ptr produce_error;
  bool more = true;
  while (true) {
    while (more && in_order.size() < pipeline_depth(threads)) {
      auto slot = std::make_shared<Slot>();
      try {
        more = produce(&slot->item);
      } catch (...) {
        produce_error = std::current_exception();
        more = false;
      }
      if (!more) break;
      in_order.push_back(slot);
      const std::lock_guard lock(mutex);
      todo.push_back(std::move(slot));
      work_waits.notify_one();
    }
    if (in_order.empty()) break;
    const std::shared_ptr<Slot> first = std::move(in_order.front());
    in_order.pop_front();
    {
      std::unique_lock lock(mutex);
      result_waits.wait(lock, [&] { return first->done; });
    }
    if (first->error) std::rethrow_exception(first->error);
    if (!consume(std::move(*first->result))) return;
  }
  if (produce_error) std::rethrow_exception(produce_error);
}

}  // namespace minibert

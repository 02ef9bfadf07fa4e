// Runs a producer ahead of its consumer in another thread, in order, with a bounded queue.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace minibert {

// Calls make(i) for i = begin … end-1 in order, on the other thread. next() rethrows an exception
// from the call that would have made its item.
template <class Item>
class Prefetch {
 public:
  Prefetch(int64_t begin, int64_t end, size_t depth, std::function<Item(int64_t)> make)
      : depth_(depth), worker_([this, begin, end, make = std::move(make)] {
          try {
            for (int64_t i = begin; i < end; ++i)
              if (!push(make(i))) return;
          } catch (...) {
            std::lock_guard lock(mutex_);
            error_ = std::current_exception();
          }
          std::lock_guard lock(mutex_);
          finished_ = true;
          ready_.notify_all();
        }) {}

  ~Prefetch() {
    {
      std::lock_guard lock(mutex_);
      cancelled_ = true;
    }
    room_.notify_all();
    worker_.join();
  }
  Prefetch(const Prefetch&) = delete;
  Prefetch& operator=(const Prefetch&) = delete;

  // Waits for the next item; returns nothing at the end.
  std::optional<Item> next() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return !items_.empty() || finished_; });
    if (items_.empty()) {
      if (error_) std::rethrow_exception(error_);
      return {};
    }
    Item item = std::move(items_.front());
    items_.pop_front();
    room_.notify_one();
    return item;
  }

 private:
  bool push(Item item) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return items_.size() < depth_ || cancelled_; });
    if (cancelled_) return false;
    items_.push_back(std::move(item));
    ready_.notify_one();
    return true;
  }

  const size_t depth_;
  std::mutex mutex_;
  std::condition_variable ready_, room_;
  std::deque<Item> items_;
  std::exception_ptr error_;
  bool finished_ = false;
  bool cancelled_ = false;
  std::thread worker_;  // last: starts when all other members exist
};

}  // namespace minibert

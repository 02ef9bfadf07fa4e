#include "data/ordered_pipeline.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <string>

#include "core/error.h"
#include "core/rng.h"

namespace minibert::testing {
namespace {

// Takes a while that differs from item to item.
int slow_square(int item) {
  Rng rng(static_cast<uint64_t>(item));
  std::this_thread::sleep_for(std::chrono::microseconds(rng.below(300)));
  return item * item;
}

struct Outcome {
  std::vector<int> results;
  std::string error;

  bool operator==(const Outcome&) const = default;
};

Outcome run(int threads, int items, int stop_after, int produce_fails_at, int work_fails_at) {
  Outcome out;
  int next = 0;
  try {
    ordered_pipeline<int, int>(
        threads,
        [&](int* item) {
          if (next == produce_fails_at) throw Error("produce " + std::to_string(next));
          *item = next;
          return next++ < items;
        },
        [&](int&& item) {
          if (item == work_fails_at || item == work_fails_at + 1)
            throw Error("work " + std::to_string(item));
          return slow_square(item);
        },
        [&](int&& result) {
          out.results.push_back(result);
          return static_cast<int>(out.results.size()) != stop_after;
        });
  } catch (const Error& error) {
    out.error = error.what();
  }
  return out;
}

}  // namespace

TEST_CASE("results come in order, with the same end, for any number of threads") {
  struct Case {
    std::string name;
    int items, stop_after, produce_fails_at, work_fails_at;
    size_t results;
    std::string error;
  };
  const std::vector<Case> cases = {
      {"no items", 0, -1, -1, -9, 0, ""},
      {"all", 200, -1, -1, -9, 200, ""},
      {"stopped by consume", 200, 50, -1, -9, 50, ""},
      {"produce fails", 200, -1, 60, -9, 60, "produce 60"},
      {"work fails", 200, -1, -1, 40, 40, "work 40"},
      {"work fails before produce", 200, -1, 60, 57, 57, "work 57"},
      {"produce fails behind the end", 200, 50, 52, -9, 50, ""},
      {"work fails behind the end", 200, 50, -1, 51, 50, ""},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    for (const int threads : {1, 2, 4, 16}) {
      INFO(threads << " threads");
      const Outcome out = run(threads, c.items, c.stop_after, c.produce_fails_at, c.work_fails_at);
      REQUIRE(out.results.size() == c.results);
      for (int i = 0; i < static_cast<int>(c.results); ++i)
        REQUIRE(out.results[static_cast<size_t>(i)] == i * i);
      CHECK(out.error == c.error);
    }
  }
}

TEST_CASE("only a bounded number of items is in memory, however many there are") {
  for (const int threads : {1, 3}) {
    int produced = 0, consumed = 0;
    size_t most = 0;
    ordered_pipeline<int, int>(
        threads,
        [&](int* item) {
          most = std::max(most, static_cast<size_t>(produced - consumed) + 1);
          *item = produced;
          return produced++ < 2000;
        },
        [](int&& item) { return item; },
        [&](int&&) {
          ++consumed;
          return true;
        });
    CHECK(consumed == 2000);
    CHECK(most <= pipeline_depth(threads) + 1);
  }
}

TEST_CASE("work runs on several threads at once") {
  std::atomic<int> working = 0, most = 0;
  int next = 0;
  ordered_pipeline<int, int>(
      3, [&](int* item) { return (*item = next++) < 60; },
      [&](int&& item) {
        const int now = ++working;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        --working;
        return item;
      },
      [](int&&) { return true; });
  CHECK(most >= 2);
  CHECK(most <= 3);
}

}  // namespace minibert::testing

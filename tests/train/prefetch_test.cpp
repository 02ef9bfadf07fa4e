// The loader thread: order, errors, and leaving early.
#include "train/prefetch.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>

namespace minibert {

TEST_CASE("items come in order, from the first asked for, and then no more") {
  Prefetch<int64_t> items(3, 500, 4, [](int64_t i) { return i * i; });
  for (int64_t i = 3; i < 500; ++i) {
    const auto item = items.next();
    REQUIRE(item);
    CHECK(*item == i * i);
  }
  CHECK_FALSE(items.next());
  CHECK_FALSE(items.next());
}

TEST_CASE("items are made on another thread, at most `depth` ahead and one in hand") {
  std::atomic<int64_t> made{0};
  std::atomic<std::thread::id> maker;
  Prefetch<int64_t> items(0, 100, 4, [&](int64_t i) {
    maker = std::this_thread::get_id();
    ++made;
    return i;
  });
  for (int64_t taken = 1; taken <= 100; ++taken) {
    items.next();
    CHECK(made <= taken + 5);
  }
  CHECK(maker.load() != std::this_thread::get_id());
  CHECK(made == 100);
}

TEST_CASE("an exception comes where its item would have, after all items before it") {
  Prefetch<int64_t> items(0, 10, 4, [](int64_t i) {
    if (i == 6) throw std::runtime_error("instance 6 is broken");
    return i;
  });
  for (int64_t i = 0; i < 6; ++i) CHECK(items.next() == i);
  CHECK_THROWS_WITH(items.next(), "instance 6 is broken");
  CHECK_THROWS_WITH(items.next(), "instance 6 is broken");
}

TEST_CASE("nothing to load ends at once") {
  Prefetch<int64_t> items(5, 5, 4, [](int64_t i) { return i; });
  CHECK_FALSE(items.next());
}

TEST_CASE("leaving before the end stops the thread") {
  std::atomic<int64_t> made{0};
  {
    Prefetch<int64_t> items(0, 1'000'000'000, 2, [&](int64_t i) {
      ++made;
      return i;
    });
    items.next();
  }
  const int64_t at_the_end = made;
  CHECK(at_the_end <= 4);
  CHECK(made == at_the_end);
}

}  // namespace minibert

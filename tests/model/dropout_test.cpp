// Dropout by key: how much it drops, and that it follows from key and position alone.
#include "model/ops/dropout.h"

#include <ATen/Parallel.h>

#include <catch2/catch.hpp>
#include <cmath>

namespace minibert {
namespace {

constexpr int64_t kSize = 1'000'000;

// Standard deviations that a share of n throws may lie off; one in 15,000 by chance, and the keys
// are fixed.
constexpr double kDeviations = 4;

double share_off(double share, double p, int64_t n) {
  return std::abs(share - p) / std::sqrt(p * (1 - p) / static_cast<double>(n));
}

torch::Tensor dropped(double p, uint64_t key) {
  return keyed_dropout(torch::ones(kSize), p, key).eq(0);
}

double share(const torch::Tensor& flags) { return flags.to(torch::kFloat64).mean().item<double>(); }

}  // namespace

TEST_CASE("dropout drops its share and scales up what stays") {
  for (const double p : {0.1, 0.5}) {
    CAPTURE(p);
    const auto out = keyed_dropout(torch::full(kSize, 3.0f), p, 17);
    CHECK(share_off(share(out.eq(0)), p, kSize) < kDeviations);
    const auto kept = out.masked_select(out.ne(0));
    CHECK((kept - 3.0 / (1 - p)).abs().max().item<double>() < 1e-6);
  }
}

TEST_CASE("what is dropped is independent of its neighbours and of other keys") {
  const double p = 0.3;
  const auto one = dropped(p, 1);
  for (const int64_t distance : {1, 2, 16, 112, 256, 4096}) {
    CAPTURE(distance);
    const auto both = one.slice(0, distance).logical_and(one.slice(0, 0, kSize - distance));
    CHECK(share_off(share(both), p * p, kSize - distance) < kDeviations);
  }
  for (const uint64_t key : {uint64_t{0}, uint64_t{2}, uint64_t{1} << 40}) {
    CAPTURE(key);
    CHECK(share_off(share(one.logical_and(dropped(p, key))), p * p, kSize) < kDeviations);
  }
}

TEST_CASE("the mask follows from the key, whatever the threads and the type") {
  const auto x = torch::arange(1, 100'001, torch::kFloat32);
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = keyed_dropout(x, 0.2, 9);
  at::set_num_threads(3);
  CHECK(keyed_dropout(x, 0.2, 9).equal(one));
  at::set_num_threads(before);
  CHECK_FALSE(keyed_dropout(x, 0.2, 10).equal(one));
  CHECK(keyed_dropout(x.to(torch::kBFloat16), 0.2, 9).eq(0).equal(one.eq(0)));
}

TEST_CASE("the gradient passes where the value did") {
  const auto x = torch::ones(1000).set_requires_grad(true);
  const auto out = keyed_dropout(x, 0.4, 3);
  out.sum().backward();
  CHECK(x.grad().equal(out.detach()));
}

TEST_CASE("no dropout leaves the tensor itself") {
  const auto x = torch::ones(5);
  CHECK(keyed_dropout(x, 0, 1).is_same(x));
}

TEST_CASE("one pass hands out a key for each place, the same ones after a reset") {
  DropoutKeys keys;
  keys.reset(7);
  const uint64_t first = keys.next(), second = keys.next();
  CHECK(first != second);
  keys.reset(7);
  CHECK(keys.next() == first);
  CHECK(keys.next() == second);
  keys.reset(8);
  CHECK(keys.next() != first);
}

}  // namespace minibert

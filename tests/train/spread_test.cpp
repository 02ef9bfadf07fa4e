// Work that several processes share: every part once, all parts in all, and a line where one fails.
#include "train/spread.h"

#include <catch2/catch.hpp>
#include <limits>

#include "train/processes.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using namespace testing;

// Two tensors, of another length in each part; with numbers whose bits a sum of floats would not keep.
Tensors part(size_t number) {
  const auto length = static_cast<int64_t>(number % 3);
  torch::Tensor odd = torch::full({length, 2}, 0.1F * static_cast<float>(number));
  if (length > 0) odd[0][0] = -0.0F, odd[0][1] = std::numeric_limits<float>::quiet_NaN();
  return {odd, torch::tensor(static_cast<int64_t>(number))};
}

bool same_bits(const torch::Tensor& a, const torch::Tensor& b) {
  return a.sizes() == b.sizes() && a.dtype() == b.dtype() &&
         a.reshape(-1).view(torch::kUInt8).equal(b.reshape(-1).view(torch::kUInt8));
}

}  // namespace

TEST_CASE("one process makes all parts of spread work in order") {
  const std::vector<Tensors> all = make_spread(nullptr, 4, part);
  REQUIRE(all.size() == 4);
  for (size_t i = 0; i < 4; ++i) CHECK(all[i][1].item<int64_t>() == static_cast<int64_t>(i));
  CHECK(make_spread(nullptr, 0, part).empty());
}

TEST_CASE("processes make every part once, and all have the same bits", "[gloo]") {
  if (!has_gloo()) return;
  const size_t count = GENERATE(0, 1, 2, 7);
  std::vector<std::vector<size_t>> made(3);
  const auto ends = together(some_processes(3), [&](Workers& workers) {
    const std::vector<Tensors> all = make_spread(&workers, count, [&](size_t number) {
      made[static_cast<size_t>(workers.rank())].push_back(number);
      return part(number);
    });
    if (all.size() != count) throw Error("not all parts are there");
    for (size_t i = 0; i < count; ++i)
      for (size_t k = 0; k < 2; ++k)
        if (!same_bits(all[i].at(k), part(i)[k])) throw Error("part " + std::to_string(i));
  });
  CHECK(ends == std::vector<std::string>(3));
  for (size_t rank = 0; rank < 3; ++rank) {
    std::vector<size_t> expected;
    for (size_t i = rank; i < count; i += 3) expected.push_back(i);
    CHECK(made[rank] == expected);
  }
}

TEST_CASE("a process that fails in its share of the work, or is gone, is named", "[gloo]") {
  if (!has_gloo()) return;
  const bool fails = GENERATE(true, false);
  const auto ends = together(some_processes(2, 3), [&](Workers& workers) {
    if (workers.rank() == 1 && !fails) return;
    make_spread(&workers, 4, [&](size_t number) {
      if (number == 3) throw Error("the example is bad");
      return part(number);
    });
  });
  if (fails)
    CHECK(ends == std::vector<std::string>{"rank 1: the example is bad", "the example is bad"});
  else
    CHECK_THAT(ends[0], StartsWith("rank 1 (") && Contains(") is lost: it has been silent"));
}

}  // namespace minibert

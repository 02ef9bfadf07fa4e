// Operations that mix positions: padding and neighbours, offsets, queries.
#include <catch2/catch.hpp>

#include "model/ops/attention.h"
#include "model/ops/sequence_convolution.h"

namespace minibert {

TEST_CASE("a convolution reads its own row and no padding") {
  // One channel whose taps are 1, 10, 100: the left neighbour, the position, the right neighbour.
  const auto weight = torch::tensor({1.0f, 10.0f, 100.0f}).view({3, 1});
  const auto x = torch::tensor({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}).view({2, 3, 1});
  auto bias = torch::zeros({2, 3});
  bias[0][2] = -1e9;
  const auto y = sequence_convolution(x, weight, bias).flatten();
  CHECK(y.equal(torch::tensor({210.0f, 21.0f, 2.0f, 540.0f, 654.0f, 65.0f})));
}

TEST_CASE("a convolution wants an odd number of taps, each with a weight a channel") {
  const auto x = torch::zeros({1, 4, 5}), bias = torch::zeros({1, 4});
  CHECK_NOTHROW(sequence_convolution(x, torch::zeros({9, 5}), bias));
  CHECK_THROWS(sequence_convolution(x, torch::zeros({2, 5}), bias));
  CHECK_THROWS(sequence_convolution(x, torch::zeros({3, 4}), bias));
}

TEST_CASE("offsets fall into T5's buckets") {
  CHECK(relative_bucket(0) == 0);
  CHECK(relative_bucket(-1) == 1);
  CHECK(relative_bucket(-7) == 7);
  CHECK(relative_bucket(-8) == 8);
  CHECK(relative_bucket(-11) == 8);
  CHECK(relative_bucket(-12) == 9);
  CHECK(relative_bucket(-16) == 10);
  CHECK(relative_bucket(-32) == 12);
  CHECK(relative_bucket(-64) == 14);
  CHECK(relative_bucket(-91) == 15);
  CHECK(relative_bucket(-4000) == 15);
  for (int64_t distance = 1; distance < 400; ++distance)
    CHECK(relative_bucket(distance) == relative_bucket(-distance) + 16);
}

TEST_CASE("offsets are laid out from the farthest left to the farthest right") {
  const auto table = torch::arange(2 * kRelativeBuckets, torch::kFloat32).view({2, -1});
  const auto offsets = relative_offsets(table, 3);
  CHECK(offsets[0].equal(torch::tensor({2.0f, 1.0f, 0.0f, 17.0f, 18.0f})));
  CHECK(offsets[1].equal(offsets[0] + kRelativeBuckets));
}

TEST_CASE("chosen queries get what they get among all queries") {
  torch::manual_seed(12);
  const int64_t length = 23;
  const auto qkv = torch::randn({2, length, 3 * 4 * 5});
  const auto bias = torch::zeros({2, length});
  AttentionTerms terms;
  terms.offset_bias = torch::randn({4, 2 * length - 1});
  const auto all = self_attention(qkv, bias, 4, terms);
  terms.queries = torch::tensor({0, 7, 22, 7, 1, 0, 0, 3}, torch::kInt64).view({2, 4});
  const auto some = self_attention(qkv, bias, 4, terms);
  for (int64_t row = 0; row < 2; ++row)
    for (int64_t i = 0; i < 4; ++i)
      CHECK(some[row][i].allclose(all[row][terms.queries[row][i].item<int64_t>()], 1e-5, 1e-6));
}

TEST_CASE("a query outside the sequence is an error") {
  AttentionTerms terms;
  terms.queries = torch::full({1, 1}, 4, torch::kInt64);
  CHECK_THROWS(self_attention(torch::zeros({1, 4, 6}), torch::zeros({1, 4}), 1, terms));
}

TEST_CASE("a bias by offset wants a value for each head and offset") {
  AttentionTerms terms;
  terms.offset_bias = torch::zeros({1, 6});
  CHECK_THROWS(self_attention(torch::zeros({1, 4, 6}), torch::zeros({1, 4}), 1, terms));
}

}  // namespace minibert

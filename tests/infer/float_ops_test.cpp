// The float operations against double precision.
#include "infer/engine/float_ops.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "infer/kernels/vector_math.h"

using namespace minibert::infer;

namespace {

constexpr double kExpRelativeError = 3e-7;
constexpr double kGeluError = 1e-6;
constexpr double kSoftmaxError = 1e-6;
constexpr double kSigmoidError = 1e-6;

}  // namespace

TEST_CASE("the exponential is accurate over its range and clamped outside it") {
  double worst = 0;
  for (double x = -86.9; x <= 87.9; x += 0.0137) {
    const float found = exp4(splat(static_cast<float>(x)))[0];
    const double exact = std::exp(static_cast<double>(static_cast<float>(x)));
    worst = std::max(worst, (std::abs(found / exact - 1) - 1e-7 * std::abs(x)));
  }
  CAPTURE(worst);
  CHECK(worst < kExpRelativeError);
  CHECK(exp4(splat(-1e30f))[0] < 2e-38f);
  CHECK(exp4(splat(-1e30f))[0] >= 0);
  CHECK(std::isfinite(exp4(splat(1e30f))[0]));
  CHECK(std::abs(exp4(splat(0))[0] - 1) < 2e-7);
}

TEST_CASE("gelu is the tanh form, at every length") {
  for (int32_t size = 1; size <= 13; ++size) {
    std::vector<float> x(static_cast<size_t>(size) + 1, 77.0f);
    for (int32_t i = 0; i < size; ++i) x[i] = -9.0f + 1.53f * static_cast<float>(i);
    const std::vector<float> given = x;
    gelu(x.data(), size);
    for (int32_t i = 0; i < size; ++i) {
      const double v = given[i];
      const double exact =
          0.5 * v * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v)));
      CHECK(std::abs(x[i] - exact) < kGeluError * std::max(1.0, std::abs(exact)));
    }
    CHECK(x[size] == 77.0f);
  }
}

TEST_CASE("geglu is gelu of the first half times the second, at every length") {
  for (int32_t size = 1; size <= 13; ++size) {
    std::vector<float> x(static_cast<size_t>(2 * size) + 1, 77.0f);
    for (int32_t i = 0; i < 2 * size; ++i) x[i] = -9.0f + 0.83f * static_cast<float>(i * 5 % 23);
    std::vector<float> expected(x.begin(), x.begin() + size);
    gelu(expected.data(), size);
    for (int32_t i = 0; i < size; ++i) expected[i] *= x[size + i];
    const std::vector<float> given = x;
    geglu(x.data(), size);
    for (int32_t i = 0; i < size; ++i) CHECK(x[i] == expected[i]);
    for (int32_t i = size; i <= 2 * size; ++i) CHECK(x[i] == given[i]);
  }
}

TEST_CASE("the sigmoid is accurate from one end to the other, at every length") {
  for (int32_t size = 1; size <= 13; ++size) {
    std::vector<float> x(static_cast<size_t>(size) + 1, 77.0f);
    for (int32_t i = 0; i < size; ++i) x[i] = -60.0f + 9.7f * static_cast<float>(i);
    const std::vector<float> given = x;
    sigmoid(x.data(), size);
    for (int32_t i = 0; i < size; ++i)
      CHECK(std::abs(x[i] - 1 / (1 + std::exp(-static_cast<double>(given[i])))) < kSigmoidError);
    CHECK(x[size] == 77.0f);
  }
}

TEST_CASE("softmax sums to 1 and keeps what is behind it, at every length") {
  for (int32_t size = 1; size <= 13; ++size) {
    std::vector<float> x(static_cast<size_t>(size) + 1, 77.0f);
    double total = 0;
    for (int32_t i = 0; i < size; ++i) {
      x[i] = 40.0f + 2.3f * static_cast<float>((i * 5) % 7);
      total += std::exp(static_cast<double>(x[i]));
    }
    const std::vector<float> given = x;
    softmax(x.data(), size);
    for (int32_t i = 0; i < size; ++i)
      CHECK(std::abs(x[i] - std::exp(static_cast<double>(given[i])) / total) < kSoftmaxError);
    CHECK(x[size] == 77.0f);
  }
}

TEST_CASE("sums of exponentials skip what is not allowed") {
  const std::vector<float> x = {1, 2, 3, 4, 5};
  const std::vector<uint8_t> allowed = {1, 0, 1, 0, 1};
  const double all = std::exp(-4.0) + std::exp(-3.0) + std::exp(-2.0) + std::exp(-1.0) + 1;
  CHECK(sum_of_exponentials(x.data(), 5, 5) == Approx(all));
  CHECK(sum_of_exponentials(x.data(), 5, 5, allowed.data()) ==
        Approx(std::exp(-4.0) + std::exp(-2.0) + 1));
}

TEST_CASE("not finite numbers are found wherever they are") {
  for (int32_t size = 1; size <= 9; ++size)
    for (int32_t at = 0; at < size; ++at)
      for (const float bad : {NAN, INFINITY, -INFINITY}) {
        std::vector<float> x(static_cast<size_t>(size), 1.0f);
        CHECK(all_finite(x));
        x[at] = bad;
        CHECK_FALSE(all_finite(x));
      }
}

TEST_CASE("products are right at every size") {
  for (int32_t m = 1; m <= 6; ++m)
    for (int32_t n = 4; n <= 36; n += 4)
      for (int32_t k = 1; k <= 9; ++k) {
        std::vector<float> a(m * k), b(k * n), panels(k * n), bt(n * k), c(m * n), ct(m * n);
        for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(int(i * 7 % 11) - 5);
        for (int32_t i = 0; i < k; ++i)
          for (int32_t j = 0; j < n; ++j)
            b[i * n + j] = bt[j * k + i] = panels[in_panels(i, j, k, n)] =
                static_cast<float>((i * 5 + j * 3) % 13 - 6);
        multiply(a.data(), k, panels.data(), c.data(), n, m, n, k);
        multiply_transposed(a.data(), k, bt.data(), nullptr, ct.data(), n, m, n, k);
        for (int32_t i = 0; i < m; ++i)
          for (int32_t j = 0; j < n; ++j) {
            float exact = 0;  // small integers: no rounding
            for (int32_t l = 0; l < k; ++l) exact += a[i * k + l] * b[l * n + j];
            REQUIRE(c[i * n + j] == exact);
            REQUIRE(ct[i * n + j] == exact);
          }
      }
}

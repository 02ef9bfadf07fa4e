// Round-trip error and dot-product error of quantization, each within its own named tolerance.
#include "infer/kernels/quantize.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/rng.h"
#include "infer/engine/float_ops.h"
#include "infer/engine/linear.h"
#include "infer/format/mbq_format.h"

using namespace minibert;
using namespace minibert::infer;

namespace {

// Half a step, and a little for float32 arithmetic.
constexpr double kRoundTripSteps = 0.5001;
// Relative to the root mean square of the exact products; measured 0.010 to 0.015 for normal
// values.
constexpr double kDotError = 0.018;
constexpr double kFineDotError = 0.009;
constexpr double kLowDotError = 0.0003;

std::vector<float> normal_values(size_t count, uint64_t seed, double scale = 1) {
  Rng rng(seed, "values");
  std::vector<float> values(count);
  for (float& value : values) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += rng.uniform();
    value = static_cast<float>(sum * scale);
  }
  return values;
}

}  // namespace

TEST_CASE("weights come back within half a step of their row's scale") {
  const int32_t rows = 17, cols = 93;
  auto values = normal_values(rows * cols, 1);
  for (int32_t k = 0; k < cols; ++k) values[5 * cols + k] *= 1e-6f;
  for (int32_t k = 0; k < cols; ++k) values[6 * cols + k] *= 1e6f;
  std::vector<int8_t> quantized(values.size());
  std::vector<float> scales(rows);
  quantize_rows(values.data(), rows, cols, quantized.data(), scales.data());
  for (int32_t n = 0; n < rows; ++n) {
    int32_t largest = 0;
    for (int32_t k = 0; k < cols; ++k) {
      const size_t i = static_cast<size_t>(n) * cols + k;
      CHECK(std::abs(quantized[i] * scales[n] - values[i]) <= kRoundTripSteps * scales[n]);
      largest = std::max(largest, std::abs(int{quantized[i]}));
    }
    CHECK(largest == 127);
  }
}

TEST_CASE("a row of zeros stays zeros with a scale above 0") {
  const std::vector<float> values(8, 0);
  std::vector<int8_t> quantized(8, 1);
  float scale = 0;
  quantize_rows(values.data(), 1, 8, quantized.data(), &scale);
  CHECK(scale == 1);
  CHECK(quantized == std::vector<int8_t>(8, 0));
}

TEST_CASE("a token comes back within half a step, at every length") {
  for (int32_t size = 1; size <= 100; ++size) {
    INFO(size);
    auto values = normal_values(static_cast<size_t>(size), 3);
    for (float& value : values) value += 5;  // far from symmetric
    const int32_t stride = (size + 31) / 32 * 32;
    std::vector<uint8_t> quantized(static_cast<size_t>(stride), 200);
    const TokenScale token = quantize_token(values.data(), size, quantized.data(), stride);
    for (int32_t k = 0; k < size; ++k) {
      REQUIRE(quantized[k] <= 127);
      CHECK(std::abs(quantized[k] * token.scale + token.minimum - values[k]) <=
            kRoundTripSteps * token.scale + 1e-6);
    }
    for (int32_t k = size; k < stride; ++k) REQUIRE(quantized[k] == 0);
  }
}

TEST_CASE("constant and broken tokens stay in range") {
  struct Case {
    const char* name;
    std::vector<float> values;
  };
  const float inf = INFINITY, nan = NAN;
  for (const Case& item : {Case{"zero", {0, 0, 0}}, Case{"constant", {2.5f, 2.5f, 2.5f}},
                           Case{"nearly constant", {1e-38f, 2e-38f, 0}}, Case{"nan", {nan, 1, 2}},
                           Case{"infinite", {-inf, 1, inf}}, Case{"huge", {-3e38f, 3e38f, 1}}}) {
    INFO(item.name);
    std::vector<uint8_t> quantized(32, 255);
    const TokenScale token = quantize_token(item.values.data(), 3, quantized.data(), 32);
    for (const uint8_t q : quantized) CHECK(q <= 127);
    if (std::isfinite(item.values[0]) && item.values[0] == item.values[1])
      CHECK(quantized[0] * token.scale + token.minimum == item.values[0]);
  }
}

TEST_CASE("two bytes hold a weight 254 times as well") {
  const int32_t rows = 9, cols = 70;
  const auto values = normal_values(rows * cols, 2);
  std::vector<int8_t> quantized(values.size()), low(values.size());
  std::vector<float> scales(rows);
  quantize_rows(values.data(), rows, cols, quantized.data(), scales.data(), low.data());
  for (size_t i = 0; i < values.size(); ++i) {
    const float scale = scales[i / cols];
    CHECK(std::abs((quantized[i] + low[i] / mbq::kLowSteps) * scale - values[i]) <=
          kRoundTripSteps * scale / mbq::kLowSteps + 1e-6);
  }
}

TEST_CASE("fourteen bits hold a token 129 times as well as seven, at every length") {
  for (int32_t size = 1; size <= 100; ++size) {
    INFO(size);
    const auto values = normal_values(static_cast<size_t>(size), 4);
    const int32_t stride = (size + 31) / 32 * 32;
    std::vector<uint8_t> high(static_cast<size_t>(stride), 200), low = high;
    const TokenScale token =
        quantize_token_fine(values.data(), size, high.data(), low.data(), stride);
    for (int32_t k = 0; k < size; ++k) {
      REQUIRE(high[k] <= 127);
      REQUIRE(low[k] <= 127);
      const float found = (high[k] * 128 + low[k]) * token.scale + token.minimum;
      CHECK(std::abs(found - values[k]) <= kRoundTripSteps * token.scale + 2e-6);
    }
    for (int32_t k = size; k < stride; ++k) REQUIRE(high[k] + low[k] == 0);
  }
}

TEST_CASE("int8 products stay near the exact ones") {
  const int32_t rows = 8, outputs = 63;
  struct Case {
    const char* name;
    bool fine, low;
    double tolerance;
  };
  for (const Case& item : {Case{"plain", false, false, kDotError},
                           Case{"fine activations", true, false, kFineDotError},
                           Case{"fine activations, two-byte weights", true, true, kLowDotError}})
    for (const int32_t k : {24, 96, 512}) {
      INFO(item.name << ", " << k);
      const auto x = normal_values(static_cast<size_t>(rows) * k, 5);
      const auto w = normal_values(static_cast<size_t>(outputs) * k, 6, 0.05);
      std::vector<int8_t> quantized(w.size() + mbq::kTail), low = quantized;
      std::vector<float> scales(outputs), row_sums(outputs);
      quantize_rows(w.data(), outputs, k, quantized.data(), scales.data(),
                    item.low ? low.data() : nullptr);
      for (int32_t n = 0; n < outputs; ++n)
        for (int32_t i = n * k; i < (n + 1) * k; ++i)
          row_sums[n] += quantized[i] + low[i] / mbq::kLowSteps;
      const auto bias = normal_values(outputs, 7);
      Matrix matrix;
      matrix.rows = outputs;
      matrix.cols = k;
      matrix.int8 = quantized.data();
      matrix.low = item.low ? low.data() : nullptr;
      matrix.scales = scales.data();
      matrix.bias = bias.data();
      matrix.row_sums = row_sums.data();
      std::vector<float> found(rows * outputs), exact(rows * outputs);
      LinearRunner(Kernel::scalar, k)
          .apply(matrix, item.fine, x.data(), k, rows, found.data(), outputs);
      multiply_transposed(x.data(), k, w.data(), bias.data(), exact.data(), outputs, rows, outputs,
                          k);
      double error = 0, power = 0;
      for (size_t i = 0; i < found.size(); ++i) {
        error += std::pow(found[i] - exact[i], 2);
        power += std::pow(exact[i] - bias[i % outputs], 2);
      }
      CAPTURE(std::sqrt(error / power));
      CHECK(std::sqrt(error / power) < item.tolerance);
    }
}

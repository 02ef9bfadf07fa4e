// Every kernel gives the scalar reference's int32 sums.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "core/rng.h"
#include "infer/format/mbq_format.h"
#include "infer/kernels/kernels.h"

using namespace minibert;
using namespace minibert::infer;

namespace {

constexpr int32_t kUntouched = 0x5a5a5a5a;

struct KernelCase {
  int32_t rows, outputs, k;
  bool fine = false;  // activations of two bytes
};

int32_t round_up(int32_t value) {
  return (value + kActivationAlign - 1) / kActivationAlign * kActivationAlign;
}

std::vector<int16_t>& workspace() {
  static std::vector<int16_t> numbers(kDotWorkspace);
  return numbers;
}

// Weights lie at an odd address and are followed by noise, as in a file; activations end in zeros.
struct Input {
  KernelCase size;
  int32_t stride;
  std::vector<uint8_t> activations;
  std::vector<int8_t> weights;

  Input(const KernelCase& c, uint64_t seed) : size(c), stride(round_up(c.k)) {
    Rng rng(seed, "kernel");
    const int32_t planes = c.fine ? 2 : 1;
    activations.resize(static_cast<size_t>(planes * c.rows) * stride);
    for (int32_t m = 0; m < planes * c.rows; ++m)
      for (int32_t k = 0; k < c.k; ++k)
        activations[static_cast<size_t>(m) * stride + k] = static_cast<uint8_t>(rng.below(128));
    weights.resize(1 + static_cast<size_t>(c.outputs) * c.k + mbq::kTail);
    for (auto& w : weights) w = static_cast<int8_t>(rng.below(256));
  }

  std::vector<int32_t> run(DotKernel dot) const {
    const int32_t ld = size.outputs + 3;
    std::vector<int32_t> sums(static_cast<size_t>(size.rows) * ld, kUntouched);
    dot(activations.data(), size.fine ? size.rows * stride : 0, stride, size.rows,
        weights.data() + 1, size.outputs, size.k, sums.data(), ld, workspace().data());
    return sums;
  }
};

}  // namespace

TEST_CASE("the scalar kernel computes the definition") {
  std::vector<uint8_t> bytes(2 * kActivationAlign);
  const uint8_t high[] = {1, 2, 127}, low[] = {5, 6, 7};
  std::copy(std::begin(high), std::end(high), bytes.begin());
  std::copy(std::begin(low), std::end(low), bytes.begin() + kActivationAlign);
  const uint8_t* activations = bytes.data();
  std::vector<int8_t> weights(6 + mbq::kTail);
  const int8_t values[] = {10, -20, -128, 0, 1, 127};
  std::copy(std::begin(values), std::end(values), weights.begin());
  int32_t sums[2];
  dot_scalar(activations, 0, kActivationAlign, 1, weights.data(), 2, 3, sums, 2,
             workspace().data());
  CHECK(sums[0] == 10 - 40 - 128 * 127);
  CHECK(sums[1] == 2 + 127 * 127);
  dot_scalar(activations, kActivationAlign, kActivationAlign, 1, weights.data(), 2, 3, sums, 2,
             workspace().data());
  CHECK(sums[0] == 10 * (128 + 5) - 20 * (256 + 6) - 128 * (127 * 128 + 7));
  CHECK(sums[1] == 256 + 6 + 127 * (127 * 128 + 7));
}

TEST_CASE("all kernels give the same sums at every size") {
  std::map<std::string, size_t> different;
  for (int32_t rows = 1; rows <= 9; ++rows)
    for (int32_t outputs = 1; outputs <= 9; ++outputs)
      for (int32_t k = 1; k <= 130; ++k)
        for (const bool fine : {false, true}) {
          const Input input({rows, outputs, k, fine}, static_cast<uint64_t>(k));
          const auto expected = input.run(dot_scalar);
          for (const Kernel kernel : available_kernels())
            different[name(kernel)] += input.run(dot_kernel(kernel)) != expected;
        }
  for (const auto& [kernel, count] : different) {
    INFO(kernel);
    CHECK(count == 0);
  }
}

TEST_CASE("all kernels give the same sums on large matrices") {
  for (const KernelCase& size : {KernelCase{32, 128, 512}, KernelCase{31, 127, 1023},
                                 KernelCase{1, 8007, 96}, KernelCase{31, 127, 1023, true}})
    for (const Kernel kernel : available_kernels()) {
      INFO(name(kernel) << " " << size.rows << " x " << size.outputs << " x " << size.k);
      const Input input(size, 7);
      CHECK(input.run(dot_kernel(kernel)) == input.run(dot_scalar));
    }
}

TEST_CASE("no kernel saturates or overflows at the extremes") {
  // The widest d_ff with one byte, and with two.
  for (const KernelCase& size :
       {KernelCase{5, 5, mbq::kMaxInner}, KernelCase{5, 5, mbq::kMaxFineInner, true}})
    for (const int weight : {-128, -127, 127})
      for (const Kernel kernel : available_kernels()) {
        INFO(name(kernel) << ", weights " << weight << ", " << size.k);
        Input input(size, 1);
        std::fill(input.activations.begin(), input.activations.end(), uint8_t{127});
        std::fill(input.weights.begin(), input.weights.end(), static_cast<int8_t>(weight));
        const auto sums = input.run(dot_kernel(kernel));
        const int32_t largest = size.fine ? 127 * 128 + 127 : 127;
        CHECK(sums[0] == largest * weight * size.k);
        CHECK(sums[8 * 4 + 4] == largest * weight * size.k);
      }
}

TEST_CASE("the best kernel is available and the first of the available ones") {
  REQUIRE(available(best_kernel()));
  CHECK(available_kernels().front() == best_kernel());
  CHECK(available_kernels().back() == Kernel::scalar);
  CHECK_FALSE(available(Kernel::wasm_relaxed_simd));
}

TEST_CASE("a kernel from elsewhere that gives other sums is refused") {
  const DotKernel wrong = [](const uint8_t*, int32_t, int32_t, int32_t rows, const int8_t*,
                             int32_t outputs, int32_t, int32_t* sums, int32_t ld, int16_t*) {
    for (int32_t m = 0; m < rows; ++m)
      for (int32_t n = 0; n < outputs; ++n) sums[m * ld + n] = 0;
  };
  for (const Kernel kernel : {Kernel::wasm_relaxed_simd, Kernel::wasm_relaxed_simd16}) {
    CHECK_FALSE(add_relaxed_simd_kernel(kernel, wrong));
    CHECK_FALSE(available(kernel));
  }
}

TEST_CASE("a kernel of this program cannot be put in the place of another") {
  CHECK_FALSE(add_relaxed_simd_kernel(Kernel::scalar, dot_scalar));
}

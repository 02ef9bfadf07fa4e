#include "infer/kernels/kernels.h"

#include <cstring>

#include "infer/format/mbq_format.h"

namespace minibert::infer {
namespace {

struct Entry {
  Kernel kernel;
  const char* name;
  DotKernel dot;
  bool supported;
};

DotKernel relaxed_simd = nullptr, relaxed_simd16 = nullptr;

// From best to plainest.
// clang-format off
std::vector<Entry> entries() {
  return {
#if defined(MINIBERT_KERNEL_X86)
      {Kernel::avx512_vnni, "AVX-512 VNNI", dot_avx512_vnni,
       __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl")},
      {Kernel::avx2, "AVX2", dot_avx2, __builtin_cpu_supports("avx2") != 0},
#endif
      {Kernel::wasm_relaxed_simd, "WASM relaxed SIMD", relaxed_simd, relaxed_simd != nullptr},
      {Kernel::wasm_relaxed_simd16, "WASM relaxed SIMD, 16 bits", relaxed_simd16,
       relaxed_simd16 != nullptr},
#if defined(__wasm_simd128__)
      {Kernel::wasm_simd128, "WASM SIMD128", dot_wasm_simd128, true},
#endif
      {Kernel::scalar, "scalar", dot_scalar, true},
  };
}
// clang-format on

Entry entry(Kernel kernel) {
  for (const Entry& item : entries())
    if (item.kernel == kernel && item.supported) return item;
  return {kernel, "not available", nullptr, false};
}

// On one input of odd size with every weight and every activation in it.
bool agrees_with_scalar(DotKernel dot) {
  constexpr int32_t kRows = 7, kOutputs = 13, kInputs = 67, kStride = 96;
  uint8_t activations[2 * kRows * kStride] = {};
  int8_t weights[kOutputs * kInputs + mbq::kTail] = {};
  for (int32_t m = 0; m < 2 * kRows; ++m)
    for (int32_t k = 0; k < kInputs; ++k)
      activations[m * kStride + k] = static_cast<uint8_t>((m * 67 + k * 5) & 127);
  for (int32_t i = 0; i < kOutputs * kInputs; ++i) weights[i] = static_cast<int8_t>(i * 7);
  std::vector<int16_t> workspace(kDotWorkspace);
  for (const int32_t low : {0, kRows * kStride}) {
    int32_t expected[kRows * kOutputs], found[kRows * kOutputs];
    const auto run = [&](DotKernel kernel, int32_t* sums) {
      kernel(activations, low, kStride, kRows, weights, kOutputs, kInputs, sums, kOutputs,
             workspace.data());
    };
    run(dot_scalar, expected);
    run(dot, found);
    if (std::memcmp(expected, found, sizeof(found)) != 0) return false;
  }
  return true;
}

}  // namespace

std::vector<Kernel> available_kernels() {
  std::vector<Kernel> kernels;
  for (const Entry& item : entries())
    if (item.supported) kernels.push_back(item.kernel);
  return kernels;
}

Kernel best_kernel() { return available_kernels().front(); }
bool available(Kernel kernel) { return entry(kernel).supported; }
const char* name(Kernel kernel) { return entry(kernel).name; }
DotKernel dot_kernel(Kernel kernel) { return entry(kernel).dot; }

bool add_relaxed_simd_kernel(Kernel kernel, DotKernel dot) {
  DotKernel* place = kernel == Kernel::wasm_relaxed_simd     ? &relaxed_simd
                     : kernel == Kernel::wasm_relaxed_simd16 ? &relaxed_simd16
                                                             : nullptr;
  if (place == nullptr || !agrees_with_scalar(dot)) return false;
  *place = dot;
  return true;
}

}  // namespace minibert::infer

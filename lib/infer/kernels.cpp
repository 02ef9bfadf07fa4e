#include "infer/kernels.h"

namespace minibert::infer {
namespace {

struct Entry {
  Kernel kernel;
  const char* name;
  DotKernel dot;
  bool understood;
};

DotKernel relaxed_simd = nullptr;

// From best to plainest.
std::vector<Entry> entries() {
  return {
#if defined(MINIBERT_KERNEL_X86)
    {Kernel::avx512_vnni, "AVX-512 VNNI", dot_avx512_vnni,
     __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl")},
        {Kernel::avx2, "AVX2", dot_avx2, __builtin_cpu_supports("avx2") != 0},
#endif
        {Kernel::wasm_relaxed_simd, "WASM relaxed SIMD", relaxed_simd, relaxed_simd != nullptr},
#if defined(__wasm_simd128__)
        {Kernel::wasm_simd128, "WASM SIMD128", dot_wasm_simd128, true},
#endif
        {Kernel::scalar, "scalar", dot_scalar, true},
  };
}

Entry entry(Kernel kernel) {
  for (const Entry& item : entries())
    if (item.kernel == kernel && item.understood) return item;
  return {kernel, "not available", nullptr, false};
}

}  // namespace

std::vector<Kernel> available_kernels() {
  std::vector<Kernel> kernels;
  for (const Entry& item : entries())
    if (item.understood) kernels.push_back(item.kernel);
  return kernels;
}

Kernel best_kernel() { return available_kernels().front(); }
bool available(Kernel kernel) { return entry(kernel).understood; }
const char* name(Kernel kernel) { return entry(kernel).name; }
DotKernel dot_kernel(Kernel kernel) { return entry(kernel).dot; }
void add_relaxed_simd_kernel(DotKernel dot) { relaxed_simd = dot; }

}  // namespace minibert::infer

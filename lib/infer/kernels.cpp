#include "infer/kernels.h"

namespace minibert::infer {
namespace {

struct Entry {
  Kernel kernel;
  const char* name;
  DotKernel dot;
  bool (*understood)();
};

// From best to plainest.
const Entry kEntries[] = {
#if defined(MINIBERT_KERNEL_X86)
    {Kernel::avx512_vnni, "AVX-512 VNNI", dot_avx512_vnni,
     [] { return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl"); }},
    {Kernel::avx2, "AVX2", dot_avx2, [] { return bool(__builtin_cpu_supports("avx2")); }},
#endif
// A WASM module with an instruction that its engine lacks does not start: the page asks the engine
// first and picks the module.
#if defined(MINIBERT_KERNEL_WASM_RELAXED)
    {Kernel::wasm_relaxed_simd, "WASM relaxed SIMD", dot_wasm_relaxed_simd, [] { return true; }},
#endif
#if defined(__wasm_simd128__)
    {Kernel::wasm_simd128, "WASM SIMD128", dot_wasm_simd128, [] { return true; }},
#endif
    {Kernel::scalar, "scalar", dot_scalar, [] { return true; }},
};

const Entry* entry(Kernel kernel) {
  for (const Entry& item : kEntries)
    if (item.kernel == kernel && item.understood()) return &item;
  return nullptr;
}

}  // namespace

std::vector<Kernel> available_kernels() {
  std::vector<Kernel> kernels;
  for (const Entry& item : kEntries)
    if (item.understood()) kernels.push_back(item.kernel);
  return kernels;
}

Kernel best_kernel() { return available_kernels().front(); }
bool available(Kernel kernel) { return entry(kernel) != nullptr; }
const char* name(Kernel kernel) {
  const Entry* found = entry(kernel);
  return found == nullptr ? "not available" : found->name;
}
DotKernel dot_kernel(Kernel kernel) { return entry(kernel)->dot; }

}  // namespace minibert::infer

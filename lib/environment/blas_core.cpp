#include "environment/blas_core.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

namespace minibert {
namespace {

constexpr const char* kVariable = "OPENBLAS_CORETYPE";

template <class Function>
Function* in_blas(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Returns the level of an OpenBLAS core's kernels: 0 below AVX2, 1 AVX2, 2 AVX-512, 3 bfloat16;
// cores newer than this list count as 3.
int level_of(const std::string& core) {
  static const std::map<std::string, int> kLevels{
      {"katmai", 0},       {"coppermine", 0}, {"northwood", 0},  {"prescott", 0},
      {"banias", 0},       {"atom", 0},       {"core2", 0},      {"penryn", 0},
      {"dunnington", 0},   {"nehalem", 0},    {"athlon", 0},     {"opteron", 0},
      {"opteron_sse3", 0}, {"barcelona", 0},  {"nano", 0},       {"bobcat", 0},
      {"sandybridge", 0},  {"bulldozer", 0},  {"piledriver", 0}, {"steamroller", 0},
      {"excavator", 1},    {"haswell", 1},    {"zen", 1},        {"skylakex", 2}};
  const auto found = kLevels.find(lower(core));
  return found == kLevels.end() ? 3 : found->second;
}

int possible_level(const VectorUnits& units) {
  return units.avx512_bf16 ? 3 : units.avx512 ? 2 : units.avx2 ? 1 : 0;
}

}  // namespace

VectorUnits detect_vector_units() {
  VectorUnits units;
#if defined(__x86_64__)
  units.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  units.avx512 = units.avx2 && __builtin_cpu_supports("avx512f") &&
                 __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  units.avx512_bf16 = units.avx512 && __builtin_cpu_supports("avx512bf16");
#endif
  return units;
}

std::string better_blas_core(const std::string& chosen, const VectorUnits& units) {
  const int possible = possible_level(units);
  constexpr std::array<const char*, 4> kCores{"", "Haswell", "SkylakeX", "Cooperlake"};
  return possible > level_of(chosen) ? kCores[static_cast<size_t>(possible)] : "";
}

std::string blas_core() {
  const auto name = in_blas<char*()>("openblas_get_corename");
  return name == nullptr ? "" : name();
}

bool set_blas_core(const std::string& core) {
  const auto quit = in_blas<void()>("gotoblas_dynamic_quit"),
             init = in_blas<void()>("gotoblas_dynamic_init");
  if (quit == nullptr || init == nullptr) return false;
  const char* given = getenv(kVariable);
  const std::string before = given == nullptr ? "" : given;
  // OpenBLAS reads the variable whenever it sets up its table of kernels.
  setenv(kVariable, core.c_str(), /*overwrite=*/1);
  quit();
  init();
  if (before.empty())
    unsetenv(kVariable);
  else
    setenv(kVariable, before.c_str(), /*overwrite=*/1);
  return true;
}

std::string blas_core_in(const std::string& blas_name) {
  std::istringstream words(blas_name);
  std::string word, before;
  if (!(words >> word) || word != "OpenBLAS") return "";
  while (words >> word) {
    if (word.starts_with("MAX_THREADS=") || word == "SINGLE_THREADED") return before;
    before = word;
  }
  return "";
}

bool can_run_core(const std::string& core, const VectorUnits& units) {
  // Older ones have instructions of one maker alone, newer ones may need more than is detected.
  static const std::set<std::string> kKnown{"haswell", "zen", "skylakex", "cooperlake"};
  return kKnown.contains(lower(core)) && level_of(core) <= possible_level(units);
}

void choose_blas_core() {
  const std::string better = better_blas_core(blas_core(), detect_vector_units());
  if (!better.empty() && getenv(kVariable) == nullptr) set_blas_core(better);
}

}  // namespace minibert

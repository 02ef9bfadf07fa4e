// Where and how a run computes: device, precision, threads, BLAS, versions, state of the source
// tree.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/torch.h"

namespace minibert {

// tf32: float32 whose matrix products a GPU computes with 10 bits of mantissa.
enum class Precision { fp32, bf16, tf32 };
const char* to_string(Precision precision);  // "fp32", "bf16", "tf32"

// `flag` is auto, cpu, cuda, cuda:N or the name of an AddedDevice; auto is CUDA where LibTorch can use
// it, else the CPU. Throws a usage Error for another word and for a CUDA device that is not there.
torch::Device choose_device(const std::string& flag);

// A device that LibTorch knows and this program does not: while the object lives, `--device NAME` is it.
class AddedDevice {
 public:
  AddedDevice(std::string name, torch::Device device);
  ~AddedDevice();
  AddedDevice(const AddedDevice&) = delete;
  AddedDevice& operator=(const AddedDevice&) = delete;
};

struct PrecisionChoice {
  Precision precision = Precision::fp32;
  std::string why;
};

// `flag` is auto, fp32, bf16 or, on CUDA, tf32. auto is bf16 where the processor multiplies bf16 in hardware, read
// from its flags and not timed, so that the same machine always answers the same. Throws a usage
// Error for another word.
PrecisionChoice choose_precision(torch::Device device, const std::string& flag);

struct Environment {
  torch::Device device{torch::kCPU};
  Precision precision = Precision::fp32;
  std::string device_why, precision_why;
  std::string hardware;  // "AMD EPYC …" or "NVIDIA H200"
  int threads = 1;       // of LibTorch on the CPU
};

// "device cpu (…), precision bf16 (…)": one line for the user.
std::string describe(const Environment& environment);

// Threads worth using: the physical cores this process may run on, within its cgroup's quota, or
// what OMP_NUM_THREADS says. (LibTorch's own default on x86 is half the processors, which is one
// thread on a two-core machine without hyper-threading.)
int default_threads();

// Decides all of it, sets LibTorch's thread count (0: default_threads()), chooses OpenBLAS' kernels
// (blas_core.h; detect_blas() names them), keeps it to one thread and lets the allocator keep freed
// memory (up to 1 GiB). Throws a usage Error for a bad flag.
Environment choose_environment(const std::string& device_flag, const std::string& precision_flag,
                               int threads = 0);

// Makes LibTorch take deterministic kernels where it has a choice. Call before the first CUDA use.
void use_deterministic_algorithms();

// The library that LibTorch's fp32 matrix products go to.
struct Blas {
  std::string name;        // "OpenBLAS 0.3.21 …", "MKL", "reference BLAS", …
  std::string path;        // of the shared library; empty when it is part of LibTorch
  bool reference = false;  // the slow one, an order of magnitude behind
};
Blas detect_blas();
// What to tell the user about a slow BLAS, with the fix; empty when there is nothing to say.
std::string blas_warning(const Blas& blas);

// A source tree as git sees it now; where there is none (the program was moved), as it was when
// built.
struct GitState {
  std::string commit;  // empty where git knows nothing
  bool dirty = false;
  std::string diff;  // of tracked files against HEAD, results/ left out, at most max_diff_bytes
  bool diff_truncated = false;
  std::vector<std::string> untracked;
};
std::string built_source_dir();
inline constexpr std::size_t max_diff_bytes = 256 * 1024;
GitState git_state(const std::string& source_dir);

// What a program was built from whose tree was at `commit`, with changes or without. Without, it is that commit,
// whatever was written or committed since; with changes, the tree as git sees it now against that commit.
GitState state_when_built(const std::string& commit, bool dirty, const std::string& source_dir);
// The same of this program.
GitState program_state();

// Whether this file is one of the source tree's; false where git or the tree is not there.
bool is_tracked(const std::string& path, const std::string& source_dir = built_source_dir());

// What a run's record stores as /environment (the diff apart).
nlohmann::json to_json(const Environment& environment, const GitState& git);

// Versions of this program (git), compiler and libraries as {"minibert": "…", "libtorch": "…", …}.
nlohmann::json library_versions();

}  // namespace minibert

// A run's setting: device, precision, threads, BLAS, versions, state of the source tree.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/torch.h"

namespace minibert {

// tf32: float32 with GPU matrix products of 10-bit mantissas.
enum class Precision { fp32, bf16, tf32 };
const char* to_string(Precision precision);  // "fp32", "bf16", "tf32"

// `flag` is auto, cpu, cuda, cuda:N or the name of an AddedDevice; auto is CUDA if LibTorch can use
// it, else the CPU. Throws a usage Error for another word and for a missing CUDA device.
torch::Device choose_device(const std::string& flag);

// Makes a device that LibTorch knows available as `--device NAME` while the object lives.
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

// `flag` is auto, fp32, bf16 or, on CUDA, tf32. auto is bf16 if the processor multiplies bf16 in
// hardware; this follows from its flags, not from a timing, so that a machine always gives the same
// answer. Throws a usage Error for another word.
PrecisionChoice choose_precision(torch::Device device, const std::string& flag);

struct Environment {
  torch::Device device{torch::kCPU};
  Precision precision = Precision::fp32;
  std::string device_why, precision_why;
  std::string hardware;  // "AMD EPYC …" or "NVIDIA H200"
  int threads = 1;       // LibTorch's on the CPU
};

// Returns "device cpu (…), precision bf16 (…)", one line for the user.
std::string describe(const Environment& environment);

// Returns the number of threads worth using: the physical cores that this process may use, within
// its cgroup's quota, or OMP_NUM_THREADS. (LibTorch's default on x86 is half the processors, one
// thread on a two-core machine without hyper-threading.)
int default_threads();

// Chooses device and precision, sets LibTorch's thread count (0: default_threads()), chooses
// OpenBLAS' kernels (blas_core.h; detect_blas() names them) and limits it to one thread, and lets
// the allocator keep freed memory (up to 1 GiB). Throws a usage Error for a bad flag.
Environment choose_environment(const std::string& device_flag, const std::string& precision_flag,
                               int threads = 0);

// Makes LibTorch use deterministic kernels if it has a choice. Call before the first use of CUDA.
void use_deterministic_algorithms();

// The library that computes LibTorch's fp32 matrix products.
struct Blas {
  std::string name;        // "OpenBLAS 0.3.21 …", "MKL", "reference BLAS", …
  std::string path;        // of the shared library; empty if it is part of LibTorch
  bool reference = false;  // the slow one, an order of magnitude behind
};
Blas detect_blas();
// Returns a warning about a slow BLAS, with the fix, or "".
std::string blas_warning(const Blas& blas);

// A source tree's state now, from git; without git or tree (a moved program), at the build.
struct GitState {
  std::string commit;  // empty if git knows nothing
  bool dirty = false;
  std::string diff;  // of tracked files against HEAD, without results/, at most max_diff_bytes
  bool diff_truncated = false;
  std::vector<std::string> untracked;
};
std::string built_source_dir();
inline constexpr std::size_t max_diff_bytes = 256 * 1024;
GitState git_state(const std::string& source_dir);

// Returns the source state that a program was built from, if its tree was at `commit`, `dirty` or
// not. A clean tree is that commit, whatever was written or committed since; a dirty one is the
// tree as git sees it now, against that commit.
GitState state_when_built(const std::string& commit, bool dirty, const std::string& source_dir);
GitState program_state();

// Returns true if the source tree's git tracks this file; false without git or tree.
bool is_tracked(const std::string& path, const std::string& source_dir = built_source_dir());

// Writes a record's /environment (without the diff).
nlohmann::json to_json(const Environment& environment, const GitState& git);

// Returns the versions of this program (git), compiler and libraries as {"minibert": "…",
// "libtorch": "…", …}.
nlohmann::json library_versions();

}  // namespace minibert

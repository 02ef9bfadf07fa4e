// Detects device, precision and BLAS, and describes them for a run's record.
#include "environment/environment.h"

#include <dlfcn.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sched.h>
#include <torch/version.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "environment/blas_core.h"
#include "environment/build_info.h"
#include "environment/nvidia_gpu.h"

namespace minibert {
namespace {

// The first value of `key` in /proc/cpuinfo; empty where there is none.
std::string cpuinfo(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

// The CPU flag that says bf16 products run in hardware; empty without one. Only x86: elsewhere
// oneDNN's bf16 products are not reliably the faster ones.
std::string bf16_cpu_flag() {
  std::istringstream flags(cpuinfo("flags"));
  std::string best;
  for (std::string flag; flags >> flag;) {
    if (flag == "amx_bf16") return flag;
    if (flag == "avx512_bf16") best = flag;
  }
  return best;
}

int index_of(torch::Device device) { return device.has_index() ? device.index() : 0; }

std::vector<std::pair<std::string, torch::Device>>& added_devices() {
  static std::vector<std::pair<std::string, torch::Device>> devices;
  return devices;
}

// Why CUDA's first operation fails, as on a GPU that LibTorch has no kernels for; empty: it does not.
std::string failure_of(torch::Device device) {
  try {
    return torch::ones({2}, device).sum().item<float>() == 2 ? "" : "its first sum is wrong";
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
  }
}

PrecisionChoice automatic_precision(torch::Device device) {
  if (device.is_cuda()) {
    const auto found = read_nvidia_gpu(index_of(device));
    if (!found) return {Precision::fp32, "the GPU's compute capability could not be read"};
    const auto sm = "sm_" + std::to_string(found->major) + std::to_string(found->minor);
    if (found->major >= 8) return {Precision::bf16, "the GPU (" + sm + ") multiplies bf16 faster"};
    return {Precision::fp32, "the GPU (" + sm + ") has no bf16 units"};
  }
  const auto flag = bf16_cpu_flag();
  if (flag.empty()) return {Precision::fp32, "the CPU has neither avx512_bf16 nor amx_bf16"};
  if (!at::hasMKLDNN()) {
    return {Precision::fp32, "this LibTorch has no oneDNN to use the CPU's " + flag};
  }
  return {Precision::bf16, "the CPU has " + flag};
}

}  // namespace

const char* to_string(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return "fp32";
    case Precision::bf16:
      return "bf16";
    case Precision::tf32:
      return "tf32";
  }
  return "";
}

AddedDevice::AddedDevice(std::string name, torch::Device device) {
  added_devices().emplace_back(std::move(name), device);
}

AddedDevice::~AddedDevice() { added_devices().pop_back(); }

torch::Device choose_device(const std::string& flag) {
  for (const auto& [name, device] : added_devices())
    if (flag == name) return device;
  if (flag == "cpu") return torch::kCPU;
  if (flag == "auto") return torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  const bool indexed = flag.rfind("cuda:", 0) == 0 && flag.size() > 5 && flag.size() <= 8 &&
                       flag.find_first_not_of("0123456789", 5) == std::string::npos;
  if (flag != "cuda" && !indexed) {
    throw usage_error("--device: found '" + flag + "', expected auto, cpu, cuda or cuda:N");
  }
  if (!torch::cuda::is_available()) {
    throw usage_error("--device: found '" + flag +
                      "', expected cpu: this LibTorch sees no CUDA device");
  }
  const int index = indexed ? std::stoi(flag.substr(5)) : 0;
  const int count = static_cast<int>(torch::cuda::device_count());
  if (index >= count) {
    throw usage_error("--device: found '" + flag + "', expected an index below " +
                      std::to_string(count));
  }
  return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(index));
}

PrecisionChoice choose_precision(torch::Device device, const std::string& flag) {
  if (flag == "auto") return automatic_precision(device);
  if (flag == "fp32") return {Precision::fp32, "asked for"};
  if (flag == "bf16") return {Precision::bf16, "asked for"};
  if (flag == "tf32" && device.is_cuda()) return {Precision::tf32, "asked for"};
  throw usage_error("--precision: found '" + flag + "', expected auto, fp32 or bf16" +
                    (device.is_cuda() ? " or tf32" : ""));
}

int default_threads() {
  if (const char* wanted = std::getenv("OMP_NUM_THREADS")) {
    const int threads = std::atoi(wanted);
    if (threads > 0) return threads;
  }
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return at::get_num_threads();
  std::set<std::pair<int, int>> cores;  // package and core; hyper-threads share both
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    const auto topology = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    int package = -1, core = cpu;
    std::ifstream(topology + "physical_package_id") >> package;
    if (std::ifstream file(topology + "core_id"); !(file >> core)) core = cpu;
    cores.insert({package, core});
  }
  int threads = std::max<int>(1, static_cast<int>(cores.size()));
  double quota = 0, period = 0;  // "max 100000" leaves both at zero
  if (std::ifstream("/sys/fs/cgroup/cpu.max") >> quota >> period && period > 0) {
    threads = std::clamp(static_cast<int>(std::ceil(quota / period)), 1, threads);
  }
  return threads;
}

// glibc gives a freed tensor of over 128 KiB back to the system at once, so that every step pays
// for the same page faults again: 10 to 20 % of the time of a small model's step.
static void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that glibc takes
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

// Debian's OpenBLAS has its own threads, which spin while waiting, like LibTorch's: on two cores
// both together made an LSTM's step four times slower, and no model faster. Only LibTorch's stay.
static void keep_blas_to_one_thread() {
  if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
    reinterpret_cast<void (*)(int)>(set)(1);
}

Environment choose_environment(const std::string& device_flag, const std::string& precision_flag,
                               int threads) {
  Environment environment;
  environment.device = choose_device(device_flag);
  std::string broken;  // why a CUDA device that nobody asked for is not taken
  if (device_flag == "auto" && environment.device.is_cuda()) {
    broken = failure_of(environment.device);
    if (!broken.empty()) environment.device = torch::kCPU;
  }
  const auto choice = choose_precision(environment.device, precision_flag);
  environment.precision = choice.precision;
  at::globalContext().setAllowTF32CuBLAS(environment.precision == Precision::tf32);
  at::globalContext().setAllowTF32CuDNN(environment.precision == Precision::tf32);
  at::set_num_threads(threads > 0 ? threads : default_threads());
  environment.threads = at::get_num_threads();
  choose_blas_core();
  keep_blas_to_one_thread();
  keep_freed_memory();
  if (environment.device.is_cuda()) {
    const auto found = read_nvidia_gpu(index_of(environment.device));
    environment.hardware = found ? found->name : "CUDA device";
  } else {
    const auto model = cpuinfo("model name");
    environment.hardware = model.empty() ? "CPU" : model;
  }
  if (device_flag != "auto") {
    environment.device_why = "asked for";
  } else if (!broken.empty()) {
    environment.device_why = "CUDA is there, but " + broken;
  } else {
    environment.device_why =
        environment.device.is_cuda() ? "CUDA is available" : "CUDA is not available";
  }
  environment.precision_why = choice.why;
  return environment;
}

std::string describe(const Environment& environment) {
  return "device " + environment.device.str() + " (" + environment.device_why + "), precision " +
         to_string(environment.precision) + " (" + environment.precision_why + ")";
}

void use_deterministic_algorithms() {
  // cuBLAS reads this when its first handle is made; without it its sums depend on timing.
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
  at::globalContext().setDeterministicCuDNN(true);
  at::globalContext().setBenchmarkCuDNN(false);
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2)
  // Every new tensor would be written with NaN first; all that is made here is written before it is read.
  at::globalContext().setDeterministicFillUninitializedMemory(false);
#endif
}

Blas detect_blas() {
  if (at::hasMKL()) return {"MKL", "", false};
  // LibTorch and this program resolve sgemm_ in the same order, so this is the one it calls.
  void* symbol = dlsym(RTLD_DEFAULT, "sgemm_");
  Dl_info info{};
  if (symbol == nullptr || dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) {
    return {"inside LibTorch", "", false};
  }
  std::error_code ignored;
  auto path = std::filesystem::canonical(info.dli_fname, ignored).string();
  if (path.empty()) path = info.dli_fname;

  Blas blas{path, path, false};
  if (path.find("openblas") != std::string::npos) {
    blas.name = "OpenBLAS";
    if (void* config = dlsym(RTLD_DEFAULT, "openblas_get_config")) {
      blas.name = reinterpret_cast<char* (*)()>(config)();
      blas.name = blas.name.substr(0, blas.name.find_last_not_of(' ') + 1);
    }
  } else if (path.find("mkl") != std::string::npos) {
    blas.name = "MKL";
  } else if (path.find("blis") != std::string::npos) {
    blas.name = "BLIS";
  } else if (path.find("atlas") != std::string::npos) {
    blas.name = "ATLAS";
  } else if (path.find("libtorch") != std::string::npos) {
    blas = {"inside LibTorch", "", false};
  } else if (path.find("/libblas.so") != std::string::npos) {
    blas.name = "reference BLAS";
    blas.reference = true;
  }
  return blas;
}

std::string blas_warning(const Blas& blas) {
  if (!blas.reference) return "";
  return "matrix products go to the reference BLAS (" + blas.path +
         "), ten times slower than OpenBLAS; fix: sudo apt-get install libopenblas0-pthread";
}

nlohmann::json library_versions() {
  namespace info = build_info;
  nlohmann::json versions;
  versions["minibert"] = std::string(info::version);
  versions["libtorch"] = TORCH_VERSION;
  versions["hdf5"] = info::hdf5;
  versions["sentencepiece"] = info::sentencepiece;
  versions["zstd"] = info::zstd;
  versions["nlohmann_json"] = std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
                              std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
                              std::to_string(NLOHMANN_JSON_VERSION_PATCH);
  versions["blas"] = detect_blas().name;
  versions["compiler"] = info::compiler;
  return versions;
}

nlohmann::json to_json(const Environment& environment, const GitState& git) {
  const auto blas = detect_blas();
  nlohmann::json described = {
      {"git",
       {{"commit", git.commit},
        {"dirty", git.dirty},
        {"diff_truncated", git.diff_truncated},
        {"untracked", git.untracked}}},
      {"compiler",
       {{"name", build_info::compiler},
        {"flags", build_info::flags},
        {"build_type", build_info::build_type}}},
      {"libraries", library_versions()},
      {"blas", {{"name", blas.name}, {"path", blas.path}, {"reference", blas.reference}}},
      {"cpu", cpuinfo("model name")},
      {"hardware", environment.hardware},
      {"device", environment.device.str()},
      {"precision", to_string(environment.precision)},
      {"device_why", environment.device_why},
      {"precision_why", environment.precision_why},
      {"threads", environment.threads}};
  if (environment.device.is_cuda())
    if (const auto gpu = read_nvidia_gpu(index_of(environment.device)))
      described["gpu"] = {{"name", gpu->name},
                          {"driver", gpu->driver},
                          {"cuda", gpu->cuda},
                          {"memory_bytes", gpu->memory_bytes}};
  return described;
}

}  // namespace minibert

#include "environment/nvidia_gpu.h"

#include <dlfcn.h>

namespace minibert {
namespace {

// A function of a shared library, by the name that its header gives it; null where it is missing.
template <class Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

// The version of the kernel's driver, which the driver's own library does not tell.
std::string driver_version(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return "";
  const auto init = find<int()>(library, "nvmlInit_v2");
  const auto version = find<int(char*, unsigned)>(library, "nvmlSystemGetDriverVersion");
  char text[96] = "";
  if (!init || !version || init() != 0 || version(text, sizeof text) != 0) return "";
  return text;
}

}  // namespace

std::optional<NvidiaGpu> read_nvidia_gpu(int index, const std::string& driver,
                                         const std::string& management) {
  void* library = dlopen(driver.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  const auto init = find<int(unsigned)>(library, "cuInit");
  const auto get = find<int(int*, int)>(library, "cuDeviceGet");
  const auto name = find<int(char*, int, int)>(library, "cuDeviceGetName");
  const auto attribute = find<int(int*, int, int)>(library, "cuDeviceGetAttribute");
  const auto memory = find<int(size_t*, int)>(library, "cuDeviceTotalMem_v2");
  const auto version = find<int(int*)>(library, "cuDriverGetVersion");
  if (!init || !get || !name || !attribute || !memory || !version) return std::nullopt;
  constexpr int capability_major = 75, capability_minor = 76;  // CU_DEVICE_ATTRIBUTE_…
  NvidiaGpu gpu;
  int device = 0, cuda = 0;
  size_t bytes = 0;
  char text[256] = "";
  if (init(0) != 0 || get(&device, index) != 0 || name(text, sizeof text, device) != 0 ||
      attribute(&gpu.major, capability_major, device) != 0 ||
      attribute(&gpu.minor, capability_minor, device) != 0 || memory(&bytes, device) != 0 ||
      version(&cuda) != 0)
    return std::nullopt;
  gpu.name = text;
  gpu.driver = driver_version(management);
  gpu.cuda = std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10);
  gpu.memory_bytes = bytes;
  return gpu;
}

}  // namespace minibert

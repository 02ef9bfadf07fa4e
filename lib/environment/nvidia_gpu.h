// Describes an NVIDIA GPU through its driver; LibTorch's way needs the CUDA toolkit's headers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace minibert {

struct NvidiaGpu {
  std::string name;    // "NVIDIA H100 80GB HBM3"
  std::string driver;  // "550.54.15"; empty without NVIDIA's management library
  std::string cuda;    // newest CUDA that the driver supports, "12.4"
  uint64_t memory_bytes = 0;
  int major = 0, minor = 0;  // compute capability
};

// Reads the GPU `index`. Returns nothing without a driver or that GPU. Tests name other libraries.
std::optional<NvidiaGpu> read_nvidia_gpu(int index, const std::string& driver = "libcuda.so.1",
                                         const std::string& management = "libnvidia-ml.so.1");

}  // namespace minibert

// An NVIDIA card as its driver describes it. Asked of the driver itself, because LibTorch's own way needs the CUDA
// toolkit's headers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace minibert {

struct NvidiaGpu {
  std::string name;    // "NVIDIA H100 80GB HBM3"
  std::string driver;  // "550.54.15"; empty where NVIDIA's management library is missing
  std::string cuda;    // newest CUDA that the driver runs, "12.4"
  uint64_t memory_bytes = 0;
  int major = 0, minor = 0;  // compute capability
};

// Reads card `index`. Empty without a driver, or where there is no such card. The libraries are named for tests.
std::optional<NvidiaGpu> read_nvidia_gpu(int index, const std::string& driver = "libcuda.so.1",
                                         const std::string& management = "libnvidia-ml.so.1");

}  // namespace minibert

// A device that stands in for a GPU, so that any machine can test the device's path. The host must
// not touch its memory: a read from the host ends the program (SIGSEGV). An operation that mixes
// its tensors with the CPU's throws, as on CUDA. LibTorch's CPU kernels compute all operations. It
// counts the work that costs time on a GPU.
#pragma once

#include <map>
#include <string>

#include "core/torch.h"

namespace minibert::testing {

// Returns the device, which is registered at program start under LibTorch's name for foreign
// devices, privateuseone.
torch::Device stand_in();

// Returns the device for tests marked [on a device]: the stand-in, or the one that
// MINIBERT_TEST_DEVICE names as in --device ("cuda" on a GPU: make bench-gpu). name_under_test() is
// its name for --device, with an AddedDevice for the stand-in.
torch::Device device_under_test();
std::string name_under_test();

struct DeviceWork {
  int64_t launches = 0;   // operations and copies within the device
  int64_t to_device = 0;  // copies from the host
  int64_t to_host = 0;    // copies to the host and reads of a value; the host waits for them
  std::map<std::string, int64_t> by_name;  // launches and reads, by ATen's names

  DeviceWork operator-(const DeviceWork& earlier) const;
};

// Returns the work since the program began.
DeviceWork device_work();

// Limits the device's memory, beyond which it is out of memory; 0: the host's limit.
void limit_device_memory(int64_t bytes);
int64_t device_memory();  // in use

// Returns "embedding 1, mm 12, …", the most frequent first.
std::string most_frequent(const DeviceWork& work, size_t names = 1000);

}  // namespace minibert::testing

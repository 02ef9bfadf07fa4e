// A device that stands in for a GPU, so that the device's path is tested on any machine. The host may not
// touch its memory: a read from the host ends the program (SIGSEGV), as it must not go unseen. An
// operation that mixes its tensors with the CPU's throws, as on CUDA. All operations are computed by LibTorch's CPU
// kernels. What a GPU would pay for is counted.
#pragma once

#include <map>
#include <string>

#include "core/torch.h"

namespace minibert::testing {

// The device; it is registered when the program starts, under the name that LibTorch keeps for devices of others,
// privateuseone.
torch::Device stand_in();

// What the tests marked [on a device] compute on: the stand-in, or what MINIBERT_TEST_DEVICE names, as of --device
// ("cuda", where there is a GPU: make bench-gpu). Its name for --device with an AddedDevice for the stand-in.
torch::Device device_under_test();
std::string name_under_test();

struct DeviceWork {
  int64_t launches = 0;   // operations and copies within the device
  int64_t to_device = 0;  // copies from the host
  int64_t to_host = 0;    // copies to the host and reads of a value, for which the host waits
  std::map<std::string, int64_t> by_name;  // launches and reads, by ATen's names

  DeviceWork operator-(const DeviceWork& earlier) const;
};

// Since the program began.
DeviceWork device_work();

// Lets the device have so many bytes in all, beyond which it is out of memory; 0: what the host has.
void limit_device_memory(int64_t bytes);
int64_t device_memory();  // in use

// "embedding 1, mm 12, …", the most frequent first.
std::string most_frequent(const DeviceWork& work, size_t names = 1000);

}  // namespace minibert::testing

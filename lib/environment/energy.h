// What a program takes of a machine beside time: processor seconds, and joules where the machine counts them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace minibert {

// User and system time of this process and of the children that it waited for (getrusage).
double processor_seconds();

// The energy of the processors' packages and of the memory that they count, since the meter was made, by the
// kernel's powercap files (Intel's RAPL; on AMD the same files). It is that of the whole machine, whatever else
// runs on it, without GPU, disks and fans. Most systems let only root read it.
class EnergyMeter {
 public:
  explicit EnergyMeter(const std::string& folder = "/sys/class/powercap");
  // To be called at least every few minutes: the counters are small and begin again.
  void sample();
  // Since then; nothing where the machine does not tell, or once did not.
  std::optional<double> joules();

 private:
  struct Zone {
    std::string folder;
    double range, last;  // microjoules
  };
  std::vector<Zone> zones_;
  double microjoules_ = 0;
};

}  // namespace minibert

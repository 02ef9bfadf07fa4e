#include "environment/energy.h"

#include <sys/resource.h>

#include <filesystem>
#include <fstream>

namespace minibert {
namespace {

namespace fs = std::filesystem;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

std::optional<double> number_in(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

std::string word_in(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

}  // namespace

double processor_seconds() {
  double total = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    if (getrusage(who, &usage) == 0) total += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return total;
}

EnergyMeter::EnergyMeter(const std::string& folder) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string zone = entry.path().string(), name = word_in(zone + "/name");
    // Another register of the same package (Intel's notebooks).
    if (entry.path().filename().string().starts_with("intel-rapl-mmio")) continue;
    // Cores and integrated graphics are parts of their package, the platform is more than all of them.
    if (!name.starts_with("package") && name != "dram") continue;
    const auto range = number_in(zone + "/max_energy_range_uj");
    const auto now = number_in(zone + "/energy_uj");
    if (!range || !now) {
      zones_.clear();  // a part would pass for the whole
      return;
    }
    zones_.push_back({zone, *range, *now});
  }
}

void EnergyMeter::sample() {
  for (Zone& zone : zones_) {
    const auto now = number_in(zone.folder + "/energy_uj");
    if (!now) {
      zones_.clear();
      return;
    }
    microjoules_ += *now - zone.last + (*now < zone.last ? zone.range : 0);
    zone.last = *now;
  }
}

std::optional<double> EnergyMeter::joules() {
  sample();
  return zones_.empty() ? std::nullopt : std::optional(1e-6 * microjoules_);
}

}  // namespace minibert

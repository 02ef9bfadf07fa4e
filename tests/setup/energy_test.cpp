// Joules from powercap files, on folders like the kernel's.
#include "environment/energy.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "support/scratch.h"

namespace minibert::testing {
namespace {

void write_zone(const std::string& zone, const std::string& name, const std::string& energy) {
  std::filesystem::create_directories(zone);
  std::ofstream(zone + "/name") << name << "\n";
  std::ofstream(zone + "/max_energy_range_uj") << "1000000000\n";
  if (!energy.empty()) std::ofstream(zone + "/energy_uj") << energy << "\n";
}

}  // namespace

TEST_CASE("joules are those of packages and memory, also where a counter begins again") {
  const Scratch powercap;
  write_zone(powercap / "intel-rapl:0", "package-0", "999000000");
  write_zone(powercap / "intel-rapl:0:0", "core", "5");
  write_zone(powercap / "intel-rapl:0:2", "dram", "10000000");
  write_zone(powercap / "intel-rapl:1", "psys", "7");
  write_zone(powercap / "intel-rapl-mmio:0", "package-0", "999000000");
  EnergyMeter meter(powercap / "");
  CHECK(meter.joules().value() == 0);
  write_zone(powercap / "intel-rapl:0", "package-0", "1000000");
  write_zone(powercap / "intel-rapl:0:0", "core", "400000000");
  write_zone(powercap / "intel-rapl:0:2", "dram", "10500000");
  write_zone(powercap / "intel-rapl:1", "psys", "900000000");
  write_zone(powercap / "intel-rapl-mmio:0", "package-0", "1000000");
  CHECK(meter.joules().value() == Approx(2.5));  // 2 of the package, 0.5 of its memory
}

TEST_CASE("where the machine does not tell all of its energy nothing is said") {
  const Scratch powercap;
  CHECK_FALSE(EnergyMeter(powercap / "absent").joules().has_value());
  write_zone(powercap / "intel-rapl:0", "package-0", "1");
  EnergyMeter meter(powercap / "");
  std::filesystem::remove(powercap / "intel-rapl:0/energy_uj");
  CHECK_FALSE(meter.joules().has_value());
  write_zone(powercap / "intel-rapl:1", "package-1", "1");
  CHECK_FALSE(EnergyMeter(powercap / "").joules().has_value());  // one of two
}

TEST_CASE("processor seconds count what this process computes") {
  const double begun = processor_seconds();
  volatile double sum = 0;
  while (processor_seconds() - begun < 0.02) sum = sum + 1;
  CHECK(processor_seconds() >= begun + 0.02);
}

}  // namespace minibert::testing

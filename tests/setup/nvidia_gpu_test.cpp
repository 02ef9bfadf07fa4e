// An NVIDIA driver's description of its card, from a library that stands in for the driver's.
#include "environment/nvidia_gpu.h"

#include <catch2/catch.hpp>

#include "support/scratch.h"
#include "support/shell.h"

using namespace minibert;

TEST_CASE("an NVIDIA card is described by its driver") {
  const testing::Scratch dir;
  dir.write("driver.c", R"(#include <stddef.h>
#include <string.h>
int cuInit(unsigned flags) { return flags; }
int cuDeviceGet(int* device, int index) { *device = 40 + index; return index == 0 ? 0 : 101; }
int cuDeviceGetName(char* name, int size, int device) { strncpy(name, "NVIDIA H100", size); return device != 40; }
int cuDeviceGetAttribute(int* value, int which, int device) { *value = which == 75 ? 9 : 0; return device != 40; }
int cuDeviceTotalMem_v2(size_t* bytes, int device) { *bytes = 85520809984; return device != 40; }
int cuDriverGetVersion(int* version) { *version = 12040; return 0; }
int nvmlInit_v2(void) { return 0; }
int nvmlSystemGetDriverVersion(char* text, unsigned size) { strncpy(text, "550.54.15", size); return 0; }
)");
  const std::string driver = dir / "driver.so";
  const auto built =
      shell("cc -shared -fPIC -o " + single_quoted(driver) + " " + single_quoted(dir / "driver.c"));
  INFO(built.output);
  REQUIRE(built.status == 0);
  const auto gpu = read_nvidia_gpu(0, driver, driver);
  REQUIRE(gpu);
  CHECK(gpu->name == "NVIDIA H100");
  CHECK(gpu->driver == "550.54.15");
  CHECK(gpu->cuda == "12.4");
  CHECK(gpu->memory_bytes == 85520809984);
  CHECK(gpu->major == 9);
  CHECK(gpu->minor == 0);
  CHECK(read_nvidia_gpu(0, driver, "/nowhere.so")->driver.empty());
  CHECK_FALSE(read_nvidia_gpu(1, driver, driver));
  CHECK_FALSE(read_nvidia_gpu(0, "/nowhere.so", driver));
}

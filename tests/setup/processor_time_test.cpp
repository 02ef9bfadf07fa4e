// Processor seconds.
#include "environment/processor_time.h"

#include <catch2/catch.hpp>

namespace minibert::testing {

TEST_CASE("processor seconds count what this process computes") {
  const double begun = processor_seconds();
  volatile double sum = 0;
  while (processor_seconds() - begun < 0.02) sum = sum + 1;
  CHECK(processor_seconds() >= begun + 0.02);
}

}  // namespace minibert::testing

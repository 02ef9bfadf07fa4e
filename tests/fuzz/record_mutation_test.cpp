// A fixed number of changes of a record, in every build; run.sh goes on from there.
#include <catch2/catch.hpp>
#include <vector>

#include "core/rng.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

TEST_CASE("blind changes of a record are read or refused, whatever libhdf5 does") {
  // Byte 0 says whether there is a seal, then come places and values.
  constexpr int kChanged = 300;
  int runs = 0;
  for (int i = 0; i < kChanged; ++i) {
    minibert::Rng rng(2, "blind", 0, static_cast<uint64_t>(i));
    std::vector<uint8_t> bytes(1 + 4 * (1 + rng.below(8)));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng.below(256));
    bytes[0] = static_cast<uint8_t>(bytes[0] / 8 * 8 + i % 2);
    runs += LLVMFuzzerTestOneInput(bytes.data(), bytes.size()) == 0;
  }
  CHECK(runs == kChanged);
}

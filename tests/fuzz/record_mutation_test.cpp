// A fixed number of edits of a record, in every build; run.sh goes on from there.
#include <catch2/catch.hpp>
#include <vector>

#include "core/rng.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

TEST_CASE("edited records are read or refused in one line, never more") {
  constexpr int kEdited = 3000;
  int runs = 0;
  for (int i = 0; i < kEdited; ++i) {
    minibert::Rng rng(1, "record", 0, static_cast<uint64_t>(i));
    std::vector<uint8_t> bytes(1 + rng.below(160));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng.below(256));
    runs += LLVMFuzzerTestOneInput(bytes.data(), bytes.size()) == 0;
  }
  CHECK(runs == kEdited);
}

TEST_CASE("blind changes of a record without a seal are read or refused, whatever libhdf5 does") {
  // How a change is chosen: byte 0 says that it is blind and unsealed, then places and values.
  constexpr int kChanged = 150;
  int runs = 0;
  for (int i = 0; i < kChanged; ++i) {
    minibert::Rng rng(2, "blind", 0, static_cast<uint64_t>(i));
    std::vector<uint8_t> bytes(1 + 4 * (1 + rng.below(8)));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng.below(256));
    bytes[0] = static_cast<uint8_t>(bytes[0] / 8 * 8 + 1);
    runs += LLVMFuzzerTestOneInput(bytes.data(), bytes.size()) == 0;
  }
  CHECK(runs == kChanged);
}

TEST_CASE("a line break in what a record says of itself breaks no message") {
  // Found by the fuzzer: the format's name becomes "\n'``x".
  const uint8_t bytes[] = {0xdc, 0xe1, 0xfe, 0x78, 0x0c, 0x00, 0x0a, 0x0a, 0x27, 0x60, 0x60, 0x78};
  CHECK(LLVMFuzzerTestOneInput(bytes, sizeof bytes) == 0);
}

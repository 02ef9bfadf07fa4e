// A fixed number of mutations of every reader's seeds, in every build; run.sh goes on from there.
#include <catch2/catch.hpp>

#include "core/rng.h"
#include "fuzz_readers.h"

namespace minibert::test {

TEST_CASE("mutated files of others are read or refused in one line, never more") {
  constexpr int kMutations = 500;
  for (const FuzzedReader& reader : fuzzed_readers()) {
    INFO(reader.name);
    for (const std::string& seed : reader.seeds) {
      CHECK(read_fuzzed(reader, seed) > 0);
      size_t refused = 0;
      for (uint64_t i = 0; i < kMutations; ++i) {
        Rng rng(1, reader.name, 0, i);
        std::string bytes = seed;
        for (uint64_t edits = 1 + rng.below(3); edits > 0; --edits) {
          const size_t at = rng.below(bytes.size());
          switch (rng.below(4)) {
            case 0:
              bytes[at] = static_cast<char>(rng.below(256));
              break;
            case 1:
              bytes.insert(at, bytes.substr(rng.below(bytes.size()), 1 + rng.below(20)));
              break;
            case 2:
              bytes.resize(at + 1);
              break;
            default:
              bytes[at] = "0123456789-\"[]{},:\n\t"[rng.below(20)];
          }
        }
        refused += read_fuzzed(reader, bytes) == 0;
      }
      CHECK(refused > 0);
    }
  }
}

}  // namespace minibert::test

// Readers of files that others made, one row each: what the fuzzer feeds with any bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace minibert::test {

struct FuzzedReader {
  const char* name;                // TARGET of `make fuzz`
  const char* ending;              // of the file's name, which some readers look at
  std::vector<std::string> seeds;  // files that are read
  std::vector<std::function<void(const std::string& path)>> reads;
};

const std::vector<FuzzedReader>& fuzzed_readers();

// Writes the bytes to a file and reads it with all that the row has. Returns how many read it. Ends the program where a
// reader throws anything but an Error of one line.
size_t read_fuzzed(const FuzzedReader& reader, std::string_view bytes);

}  // namespace minibert::test

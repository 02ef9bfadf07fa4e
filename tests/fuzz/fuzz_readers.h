// Readers of foreign files, one a row; the fuzzer feeds them arbitrary bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace minibert::test {

struct FuzzedReader {
  const char* name;                // TARGET of `make fuzz`
  const char* ending;              // of the file's name, which some readers check
  std::vector<std::string> seeds;  // valid files
  std::vector<std::function<void(const std::string& path)>> reads;
};

const std::vector<FuzzedReader>& fuzzed_readers();

// Writes the bytes to a file and reads it with every reader of the row. Returns how many succeeded.
// Ends the program if a reader throws anything but an Error of one line.
size_t read_fuzzed(const FuzzedReader& reader, std::string_view bytes);

}  // namespace minibert::test

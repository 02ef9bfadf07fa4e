// Prints two stored runs side by side for `inspect`.
#pragma once

#include <string>

namespace minibert {

struct PairArguments {
  std::string first, second;  // records
  size_t show = 10;           // examples of each side
  bool settings = false;      // only configuration, machine and data
  bool json = false;
};

// Prints the settings that differ between two records, and the examples that only one of them gets
// right. Throws Error naming the file for no record or for runs on other examples.
void inspect_pair(const PairArguments& arguments);

}  // namespace minibert

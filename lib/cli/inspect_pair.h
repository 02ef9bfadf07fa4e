// Two stored runs beside each other, as `inspect` prints them.
#pragma once

#include <string>

namespace minibert {

struct PairArguments {
  std::string first, second;  // records
  size_t show = 10;           // examples of each side
  bool settings = false;      // configuration, machine and data alone
  bool json = false;
};

// Prints which settings differ between two records, and which examples only one of them gets right. Throws Error
// naming the file: no record, runs on other examples.
void inspect_pair(const PairArguments& arguments);

}  // namespace minibert

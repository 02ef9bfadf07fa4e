// Run records made through HDF5 itself as no writer makes them: they demand too much, or other
// files.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace minibert::test {

struct CraftedRecord {
  const char* name;
  std::function<void(const std::string& path)> make;  // from a copy of a good record
};
std::vector<CraftedRecord> crafted_records();

}  // namespace minibert::test

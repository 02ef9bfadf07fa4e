// Run records as nobody's writer makes them, through HDF5 itself: they ask for too much or for other files.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace minibert::test {

struct CraftedRecord {
  const char* name;
  std::function<void(const std::string& path)> make;  // of a copy of a good record
};
std::vector<CraftedRecord> crafted_records();

}  // namespace minibert::test

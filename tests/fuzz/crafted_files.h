// Run records as nobody's writer makes them: in HDF5's oldest format, whose structures have no checksums,
// with one field of one structure set to what it must not be, as in the faults of libhdf5 that were
// published (sizes and counts of object headers, B-trees, heaps and messages, addresses that lead back);
// and records made through HDF5 itself that ask for too much or for other files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace minibert::test {

// The bytes of the record at `path`, written anew in the oldest format with variable-length attributes.
std::string in_oldest_format(const std::string& path, const std::string& scratch_file);

struct CraftedField {
  std::string structure;  // "TREE", "SNOD", "HEAP", "GCOL", "header", "superblock"
  size_t at = 0, size = 0;
  uint64_t value = 0;
};

// Every field of every structure with every value, a few thousand.
std::vector<CraftedField> crafted_fields(const std::string& bytes);
std::string with(std::string bytes, const CraftedField& field);

struct CraftedRecord {
  const char* name;
  std::function<void(const std::string& path)> make;  // of a copy of a good record
};
std::vector<CraftedRecord> crafted_records();

}  // namespace minibert::test

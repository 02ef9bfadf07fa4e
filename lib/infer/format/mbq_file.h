// A `.mbq` as a container: named tensors and metadata, checked against the file's size.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "infer/format/status.h"

namespace minibert::infer {

enum class Dtype { int8, uint8, float32 };

struct TensorView {
  Dtype dtype = Dtype::uint8;
  std::vector<int64_t> shape;
  std::span<const uint8_t> bytes;
};

struct MbqFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, TensorView> tensors;  // views into the file

  // Checks only the container: header, types, shapes, offsets, alignment, no hole, no overlap, and
  // the checksum if the file has one.
  static Status parse(std::span<const uint8_t> file, MbqFile* result);
};

struct OwnedTensor {
  std::string name;
  Dtype dtype = Dtype::uint8;
  std::vector<int64_t> shape;
  std::string bytes;  // row-major, little-endian
};

// Returns the bytes of a `.mbq` with these tensors in this order, the padding of the format and,
// with `checksum`, the file's checksum.
std::string serialize_mbq(std::map<std::string, std::string> metadata,
                          const std::vector<OwnedTensor>& tensors, bool checksum = true);

}  // namespace minibert::infer

// The safetensors format (huggingface.co/docs/safetensors): eight bytes with the length of a header, the
// header in JSON, which says of each tensor its type, its shape and where its bytes lie, and those bytes,
// row by row, little-endian. Nothing in a file is run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/run_record.h"

namespace minibert {

struct SafetensorsEntry {
  std::string dtype;
  std::vector<int64_t> shape;
  uint64_t begin = 0, end = 0;  // bytes of the data
};

// A file whose header is read and checked; values are read when they are asked for.
class SafetensorsFile {
 public:
  // Throws Error naming `path`, and the tensor where it is one's: no such file, a pointer of Git LFS, a
  // header that is cut off, too long or not JSON, an unknown type, offsets outside the data, not those of
  // the shape, overlapping or with a hole between them.
  explicit SafetensorsFile(std::string path);

  const std::string& path() const { return path_; }
  const std::map<std::string, SafetensorsEntry>& tensors() const { return tensors_; }
  // The tensor as float32; F16 and BF16 are widened, which is exact. Throws Error for any other type,
  // a value that is not finite, a file that is no longer as long as it was.
  NamedTensor read(const std::string& name) const;

 private:
  std::string path_;
  uint64_t data_ = 0;  // where the data begins
  std::map<std::string, SafetensorsEntry> tensors_;
};

// Writes the tensors as F32, in their order, with the metadata that other readers want ("format":
// "pt") and the given texts; replaces `path` when it is complete. Throws Error when it cannot.
void write_safetensors(const std::string& path, const std::vector<NamedTensor>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

// The number whose bits these are (IEEE 754 binary16).
float half_to_float(uint16_t bits);

}  // namespace minibert

// The safetensors format (huggingface.co/docs/safetensors): eight bytes with the length of a
// header, the JSON header with each tensor's type, shape and place of its bytes, and the bytes, row
// by row, little-endian. Reading runs no code of a file.
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

// A file with a checked header; values are read on request.
class SafetensorsFile {
 public:
  // Throws Error naming `path`, and the tensor at fault: no such file, a pointer of Git LFS, a
  // header that is cut off, too long or not JSON, an unknown type, offsets outside the data, of
  // another size than the shape, overlapping or with a hole between them.
  explicit SafetensorsFile(std::string path);

  const std::string& path() const { return path_; }
  const std::map<std::string, SafetensorsEntry>& tensors() const { return tensors_; }
  // Returns the tensor as float32; F16 and BF16 are widened, which is exact. Throws Error for any
  // other type, a value that is not finite, and a file whose length has changed.
  NamedTensor read(const std::string& name) const;

 private:
  std::string path_;
  uint64_t data_ = 0;  // offset of the data
  std::map<std::string, SafetensorsEntry> tensors_;
};

// Writes the tensors as F32, in their order, with the metadata that other readers need ("format":
// "pt") and the given texts; replaces `path` when complete. Throws Error if it cannot.
void write_safetensors(const std::string& path, const std::vector<NamedTensor>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

// Returns the number with these bits (IEEE 754 binary16).
float half_to_float(uint16_t bits);

}  // namespace minibert

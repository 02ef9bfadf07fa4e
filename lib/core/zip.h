// Reads ZIP archives (PKWARE's APPNOTE), stored or deflated: Keras models, and published data sets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace minibert {

// Returns true if the file begins like a ZIP archive; false if there is no file.
bool is_zip(const std::string& path);

// An archive, read into memory once.
class Archive {
 public:
  // Throws Error naming `path` if it cannot be read.
  explicit Archive(const std::string& path);

  // Returns the bytes of an entry after checking its CRC-32. `expected`: what the archive should
  // be, for messages. Throws Error naming the archive if the entry is missing, encrypted or packed
  // in another way, or if the archive is cut off, damaged or larger than 4 GiB.
  std::string unzipped(const std::string& entry, const std::string& expected) const;

 private:
  std::string_view text(size_t at, size_t size) const;
  uint32_t number(size_t at, size_t size) const;
  size_t end() const;

  std::string path_, bytes_;
};

}  // namespace minibert

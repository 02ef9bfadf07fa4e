// Files out of a ZIP archive (PKWARE's APPNOTE): stored or deflated, as Keras packs a model and the publishers of
// data their files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace minibert {

// Whether the file begins as such an archive does; false where there is none.
bool is_zip(const std::string& path);

// An archive, which is read once.
class Archive {
 public:
  // Throws Error naming `path`: it cannot be read.
  explicit Archive(const std::string& path);

  // The bytes of the entry, whose CRC-32 is right. `expected`: what the archive should be, for a message. Throws Error
  // naming the archive: no such entry, one that is packed in another way or encrypted, an archive that is cut off,
  // damaged or of more than 4 GiB.
  std::string unzipped(const std::string& entry, const std::string& expected) const;

 private:
  std::string_view text(size_t at, size_t size) const;
  uint32_t number(size_t at, size_t size) const;
  size_t end() const;

  std::string path_, bytes_;
};

}  // namespace minibert

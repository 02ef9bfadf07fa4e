// One file out of a ZIP archive (PKWARE's APPNOTE), as Keras packs a model: stored, not compressed.
#pragma once

#include <string>

namespace minibert {

// Whether the file begins as such an archive does; false where there is none.
bool is_zip(const std::string& path);

// The bytes of the entry. Throws Error naming `path`: no such entry, one that is compressed (with what to do),
// an archive that is cut off or of more than 4 GiB.
std::string stored_in_zip(const std::string& path, const std::string& entry);

// These bytes as a file that goes with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace minibert

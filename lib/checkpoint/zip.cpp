#include "checkpoint/zip.h"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/files.h"

namespace minibert {
namespace {

constexpr std::string_view kLocal = "PK\x03\x04", kCentral = "PK\x01\x02", kEnd = "PK\x05\x06";
// Sizes of these records without the names, extra fields and comments behind them.
constexpr size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22;
constexpr uint32_t kElsewhere = 0xffffffff;  // the number is in a record of Zip64

// Little-endian numbers at a place of the archive, which must have them.
class Archive {
 public:
  explicit Archive(const std::string& path) : path_(path), bytes_(read_file(path)) {}

  std::string_view text(size_t at, size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) throw Error(path_ + ": is cut off");
    return std::string_view(bytes_).substr(at, size);
  }
  uint32_t number(size_t at, size_t size) const {
    uint32_t out = 0;
    const std::string_view from = text(at, size);
    for (size_t i = size; i-- > 0;) out = out << 8 | static_cast<uint8_t>(from[i]);
    return out;
  }
  size_t end() const {
    const size_t at = bytes_.rfind(kEnd);
    if (at == std::string::npos || bytes_.size() - at < kEndSize)
      throw Error(path_ + ": is cut off: has no end of an archive");
    return at;
  }

 private:
  std::string path_, bytes_;
};

}  // namespace

bool is_zip(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char begin[4] = {};
  return in.read(begin, sizeof begin) && std::string_view(begin, sizeof begin) == kLocal;
}

std::string stored_in_zip(const std::string& path, const std::string& entry) {
  const Archive archive(path);
  const size_t end = archive.end();
  size_t at = archive.number(end + 16, 4);
  for (uint32_t left = archive.number(end + 10, 2); left > 0; --left) {
    if (archive.text(at, 4) != kCentral) break;
    const uint32_t name_size = archive.number(at + 28, 2);
    if (archive.text(at + kCentralSize, name_size) != entry) {
      at += kCentralSize + name_size + archive.number(at + 30, 2) + archive.number(at + 32, 2);
      continue;
    }
    if (archive.number(at + 10, 2) != 0)
      throw Error(path + ": " + entry +
                  ": is compressed, expected it stored as Keras does: unpack it "
                  "and import " +
                  entry + " itself");
    const uint32_t size = archive.number(at + 24, 4), local = archive.number(at + 42, 4);
    if (size == kElsewhere || local == kElsewhere)
      throw Error(path + ": " + entry + ": has more than 4 GiB, expected less");
    if (archive.text(local, 4) != kLocal)
      throw Error(path + ": " + entry + ": is not where the archive says");
    const size_t data =
        local + kLocalSize + archive.number(local + 26, 2) + archive.number(local + 28, 2);
    return std::string(archive.text(data, size));
  }
  throw Error(path + ": has no " + entry + ", expected a model that Keras saved");
}

TemporaryFile::TemporaryFile(const std::string& bytes)
    : path_((std::filesystem::temp_directory_path() / "minibert-XXXXXX").string()) {
  const int file = mkstemp(path_.data());
  if (file < 0) throw Error(path_ + ": cannot be made");
  close(file);
  std::ofstream out(path_, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) {
    std::filesystem::remove(path_);
    throw Error(path_ + ": cannot be written");
  }
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace minibert

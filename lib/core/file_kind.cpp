#include "core/file_kind.h"

#include <fstream>
#include <string_view>

namespace minibert {
namespace {

constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";
constexpr std::streamoff kFirstUserBlock = 512, kLargestUserBlock = 1 << 20;

bool stands_at(std::ifstream& file, std::streamoff place, std::string_view bytes) {
  std::string found(bytes.size(), '\0');
  file.clear();
  file.seekg(place);
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  return file && found == bytes;
}

}  // namespace

bool is_hdf5(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  if (stands_at(file, 0, kHdf5Signature)) return true;
  for (std::streamoff place = kFirstUserBlock; place <= kLargestUserBlock; place *= 2)
    if (stands_at(file, place, kHdf5Signature)) return true;
  return false;
}

bool is_safetensors(const std::string& path) {
  constexpr std::streamoff kHeader = 8;
  std::ifstream file(path, std::ios::binary);
  return file && stands_at(file, kHeader, "{");
}

}  // namespace minibert

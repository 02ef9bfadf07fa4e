#include "core/zip.h"

#include <zlib.h>

#include <cstdint>
#include <fstream>
#include <new>

#include "core/error.h"
#include "core/files.h"

namespace minibert {
namespace {

constexpr std::string_view kLocal = "PK\x03\x04", kCentral = "PK\x01\x02", kEnd = "PK\x05\x06";
// Sizes of the records without the names, extra fields and comments that follow them.
constexpr size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22;
constexpr uint32_t kElsewhere = 0xffffffff;  // the number is in a record of Zip64
constexpr uint32_t kStored = 0, kDeflated = 8, kEncrypted = 1;
// Deflate packs equal bytes to 1/1032 at best; a higher claimed ratio is false.
constexpr uint64_t kMostInflated = 1032;

// `size`: the unpacked size that the archive states.
std::string inflated(std::string_view packed, size_t size, const std::string& place) {
  if (size > kMostInflated * (packed.size() + 1))
    throw Error(place + ": is damaged: its size is wrong");
  std::string out(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status != Z_STREAM_END || stream.avail_out != 0)
    throw Error(place + ": is damaged: it cannot be unpacked");
  return out;
}

}  // namespace

bool is_zip(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char begin[4] = {};
  return in.read(begin, sizeof begin) && std::string_view(begin, sizeof begin) == kLocal;
}

Archive::Archive(const std::string& path) : path_(path), bytes_(read_file(path)) {}

std::string_view Archive::text(size_t at, size_t size) const {
  if (at > bytes_.size() || size > bytes_.size() - at) throw Error(path_ + ": is cut off");
  return std::string_view(bytes_).substr(at, size);
}

// Little-endian.
uint32_t Archive::number(size_t at, size_t size) const {
  uint32_t out = 0;
  const std::string_view from = text(at, size);
  for (size_t i = size; i-- > 0;) out = out << 8 | static_cast<uint8_t>(from[i]);
  return out;
}

size_t Archive::end() const {
  const size_t at = bytes_.rfind(kEnd);
  if (at == std::string::npos || bytes_.size() - at < kEndSize)
    throw Error(path_ + ": is cut off: the end of the archive is missing");
  return at;
}

std::string Archive::unzipped(const std::string& entry, const std::string& expected) const {
  const size_t last = end();
  size_t at = number(last + 16, 4);
  for (uint32_t left = number(last + 10, 2); left > 0; --left) {
    if (text(at, 4) != kCentral) break;
    const uint32_t name_size = number(at + 28, 2);
    if (text(at + kCentralSize, name_size) != entry) {
      at += kCentralSize + name_size + number(at + 30, 2) + number(at + 32, 2);
      continue;
    }
    const std::string place = path_ + ": " + entry;
    if ((number(at + 8, 2) & kEncrypted) != 0) throw Error(place + ": is encrypted");
    const uint32_t method = number(at + 10, 2);
    if (method != kStored && method != kDeflated)
      throw Error(place + ": is packed by method " + std::to_string(method) +
                  ", expected 0 (stored) or 8 (deflated)");
    const uint32_t packed = number(at + 20, 4), size = number(at + 24, 4),
                   local = number(at + 42, 4);
    if (packed == kElsewhere || size == kElsewhere || local == kElsewhere)
      throw Error(place + ": has more than 4 GiB, expected less");
    if (text(local, 4) != kLocal) throw Error(place + ": is not where the archive says");
    const size_t data = local + kLocalSize + number(local + 26, 2) + number(local + 28, 2);
    const std::string_view there = text(data, packed);
    std::string bytes = method == kStored ? std::string(there) : inflated(there, size, place);
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    if (bytes.size() != size || sum != number(at + 16, 4))
      throw Error(place + ": is damaged: its CRC-32 differs");
    return bytes;
  }
  throw Error(path_ + ": has no " + entry + ", expected " + expected);
}

}  // namespace minibert

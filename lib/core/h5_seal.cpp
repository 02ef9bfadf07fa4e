// The checksum of a whole file, in its user block.
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/h5_internal.h"

namespace minibert::h5 {
namespace {

constexpr char kSealText[] = "An HDF5 file from byte 512 on. CRC-32 of that part:\n";
constexpr size_t kSealSize = sizeof kSealText - 1;
constexpr size_t kDigits = 8;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Stream = std::unique_ptr<std::FILE, Close>;

Stream open_stream(const std::string& path, const char* mode) {
  Stream stream(std::fopen(path.c_str(), mode));
  if (!stream) throw system_error(path + ": cannot be opened");
  return stream;
}

// Sums the bytes from `stream`'s position on.
std::string sum_of_rest(std::FILE* stream, const std::string& path) {
  uLong sum = crc32(0, nullptr, 0);
  std::array<Bytef, 65536> bytes;
  while (const size_t count = std::fread(bytes.data(), 1, bytes.size(), stream))
    sum = crc32(sum, bytes.data(), static_cast<uInt>(count));
  if (std::ferror(stream)) throw system_error(path + ": cannot be read");
  std::array<char, kDigits + 1> digits;
  std::snprintf(digits.data(), digits.size(), "%08lx", sum);
  return digits.data();
}

// Returns true if HDF5 has marked the file in its superblock as open for writing, as it does from
// version 2 on (HDF5 File Format Specification 3.0, II.A: file consistency flags).
bool is_marked_open(std::FILE* stream) {
  constexpr size_t kVersion = 8, kFlags = 11;
  std::array<unsigned char, kFlags + 1> head{};
  return std::fseek(stream, kSealBlock, SEEK_SET) == 0 &&
         std::fread(head.data(), 1, head.size(), stream) == head.size() &&
         std::memcmp(head.data(), "\211HDF\r\n\032\n", kVersion) == 0 && head[kVersion] >= 2 &&
         head[kFlags] != 0;
}

}  // namespace

void write_seal(const std::string& path) {
  const Stream stream = open_stream(path, "rb");
  std::fseek(stream.get(), kSealBlock, SEEK_SET);
  const std::string text = kSealText + sum_of_rest(stream.get(), path) + "\n";
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  const bool written =
      file >= 0 && pwrite(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  const int why = errno;
  const bool closed = file < 0 || close(file) == 0;
  if (!written) throw system_error(path + ": cannot be written", why);
  if (!closed) throw system_error(path + ": cannot be written");
}

Seal check_seal(const std::string& path) {
  const Stream stream = open_stream(path, "rb");
  std::array<char, kSealBlock> block{};
  const size_t count = std::fread(block.data(), 1, block.size(), stream.get());
  if (count < kSealSize || std::memcmp(block.data(), kSealText, kSealSize) != 0) return Seal::no;
  const std::string expected(block.data() + kSealSize, kDigits);
  const std::string found = sum_of_rest(stream.get(), path);
  if (found != expected && is_marked_open(stream.get()))
    throw Error(path +
                ": is open for writing in another program (HDFView, h5py), or was when that "
                "program ended: close it there first");
  if (found != expected)
    throw Error(path + ": cut off or changed since it was written: the content has CRC-32 " +
                found + ", not the one stored in it; the file is damaged");
  return Seal::yes;
}

}  // namespace minibert::h5

// Streams the bytes of a file or pipe: plain or compressed with gzip, zstd or bzip2.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace minibert {

// Decompressed bytes, in blocks. Throws Error naming the path if the file cannot be read or its
// compressed data is damaged or cut short. Not thread-safe.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Reads up to `size` bytes; returns 0 at the end.
  virtual size_t read(char* out, size_t size) = 0;
};

// Opens a file. Its first bytes, not its name, tell the compression; concatenated gzip members,
// zstd frames and bzip2 streams are read as one. Memory does not grow with the file's size (zstd: a
// window of at most 128 MiB). Throws Error naming the path.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

// May stand at the start of a UTF-8 file.
inline constexpr char kByteOrderMark[] = "\xef\xbb\xbf";
inline void drop_byte_order_mark(std::string* text) {
  if (text->starts_with(kByteOrderMark)) text->erase(0, sizeof kByteOrderMark - 1);
}

// Reads all bytes. Throws Error also for more than `limit` bytes.
std::string read_unpacked(const std::string& path, size_t limit);

}  // namespace minibert

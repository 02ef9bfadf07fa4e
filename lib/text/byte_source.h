// The bytes of a file or pipe, plain or compressed with gzip, zstd or bzip2, read in a stream.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace minibert {

// Decompressed bytes, in blocks. Throws Error naming the path when the file cannot be read or its
// compressed data are damaged or cut short. Not thread-safe.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `size` bytes; 0 at the end.
  virtual size_t read(char* out, size_t size) = 0;
};

// The compression is told from the first bytes, not from the name; concatenated gzip members, zstd
// frames and bzip2 streams are read through. Memory stays flat in the file's size (zstd: a window
// of at most 128 MiB, as the file asks for). Throws Error naming the path.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

// With what a file in UTF-8 may begin.
inline constexpr char kByteOrderMark[] = "\xef\xbb\xbf";
// Cuts it off.
inline void drop_byte_order_mark(std::string* text) {
  if (text->starts_with(kByteOrderMark)) text->erase(0, sizeof kByteOrderMark - 1);
}

// All of it. Throws Error also when it is more than `limit` bytes.
std::string read_unpacked(const std::string& path, size_t limit);

}  // namespace minibert

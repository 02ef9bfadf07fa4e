// Lines of a text file, plain or compressed with gzip or zstd, read in a stream.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace minibert {

// Compression as open_bytes() tells it. Memory stays flat in the file's size. Not thread-safe.
class LineReader {
 public:
  // Throws Error naming the path when it cannot be read.
  explicit LineReader(const std::string& path);
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;

  // The next line without its "\n" or "\r\n" (a byte order mark at the file's start is dropped);
  // false at the end. A last line without "\n" counts. The bytes are not checked to be UTF-8.
  // Throws Error naming the file when its compressed data are damaged or cut short, or naming file
  // and line when a line is longer than 64 MiB.
  bool next(std::string* line);

  // The number of the line that next() last returned, from 1; 0 before.
  uint64_t line_number() const;
  const std::string& path() const;
  // "path:line" of the last line, for messages.
  std::string where() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace minibert

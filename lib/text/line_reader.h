// Streams the lines of a text file, plain or compressed as open_bytes() detects it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace minibert {

// Memory does not grow with the file's size. Not thread-safe.
class LineReader {
 public:
  // Throws Error naming the path if it cannot be read.
  explicit LineReader(const std::string& path);
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;

  // Reads the next line without its "\n" or "\r\n"; returns false at the end. Drops a byte order
  // mark at the file's start. A last line without "\n" counts. UTF-8 is not checked. Throws Error
  // naming the file if its compressed data is damaged or cut short, or naming file and line if a
  // line is longer than 64 MiB.
  bool next(std::string* line);

  // The number of the last line read, from 1; 0 before the first.
  uint64_t line_number() const;
  const std::string& path() const;
  // "path:line" of the last line, for messages.
  std::string where() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace minibert

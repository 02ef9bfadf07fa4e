// SHA-256 (FIPS 180-4) of bytes and files; it identifies data sets, tokenizers and records.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace minibert {

class Sha256 {
 public:
  Sha256();
  void update(const void* data, size_t size);
  // Returns the digest in lower-case hex; the object must not be used afterwards.
  std::string hex();

 private:
  void block(const uint8_t* bytes);
  std::array<uint32_t, 8> state_;
  std::array<uint8_t, 64> buffer_{};
  uint64_t total_ = 0;
};

std::string sha256_hex(std::string_view bytes);
// Throws Error if the file cannot be read.
std::string sha256_file(const std::string& path);

}  // namespace minibert

// SHA-1 (FIPS 180-4) of a file, which Wikimedia publishes with its dumps. It detects a damaged
// download, not a forged one; our own sums are SHA-256 (core/sha256.h).
#pragma once

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"

namespace minibert {

using Sha1State = std::array<uint32_t, 5>;

inline void sha1_block(const uint8_t* p, Sha1State* state) {
  std::array<uint32_t, 80> w;
  for (int i = 0; i < 16; ++i)
    w[i] = uint32_t{p[4 * i]} << 24 | uint32_t{p[4 * i + 1]} << 16 | uint32_t{p[4 * i + 2]} << 8 |
           p[4 * i + 3];
  for (int i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  auto [a, b, c, d, e] = *state;
  for (int i = 0; i < 80; ++i) {
    const uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                           : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                           : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                    : (b ^ c ^ d) + 0xca62c1d6;
    const uint32_t next = std::rotl(a, 5) + mixed + e + w[i];
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  const Sha1State sum = {a, b, c, d, e};
  for (int i = 0; i < 5; ++i) (*state)[i] += sum[i];
}

// Returns lower-case hex. Throws Error if the file cannot be read.
inline std::string sha1_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw Error(path + ": cannot be read: " + std::strerror(errno));
  Sha1State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::vector<uint8_t> buffer(size_t{1} << 20);  // whole blocks
  uint64_t total = 0;
  size_t n = 0, left = 0;
  while ((n = std::fread(buffer.data(), 1, buffer.size(), file.get())) > 0) {
    total += n;
    for (left = n; left >= 64; left -= 64) sha1_block(buffer.data() + (n - left), &state);
    if (n < buffer.size()) break;
  }
  if (std::ferror(file.get())) throw Error(path + ": cannot be read: " + std::strerror(errno));
  std::vector<uint8_t> rest(buffer.begin() + (n - left), buffer.begin() + n);
  rest.push_back(0x80);
  while (rest.size() % 64 != 56) rest.push_back(0);
  for (int shift = 56; shift >= 0; shift -= 8)
    rest.push_back(static_cast<uint8_t>(total * 8 >> shift));
  for (size_t i = 0; i < rest.size(); i += 64) sha1_block(rest.data() + i, &state);
  std::string out;
  for (const uint32_t word : state) {
    char text[9];
    std::snprintf(text, sizeof text, "%08x", word);
    out += text;
  }
  return out;
}

}  // namespace minibert

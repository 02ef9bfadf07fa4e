#include "infer/format/crc32.h"

#include <array>
#include <cstddef>

namespace minibert::infer {
namespace {

// Four bytes a step, each from a table of its own ("slicing"): a model of 40 MB is loaded as a page opens.
constexpr size_t kStep = 4;
using Tables = std::array<std::array<uint32_t, 256>, kStep>;

constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xedb88320U : 0);
    tables[0][byte] = value;
  }
  for (size_t k = 1; k < kStep; ++k)
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[k - 1][byte];
      tables[k][byte] = before >> 8 ^ tables[0][before & 255];
    }
  return tables;
}

}  // namespace

uint32_t crc32(std::span<const uint8_t> bytes, uint32_t before) {
  static const Tables t = make_tables();
  uint32_t sum = ~before;
  for (; bytes.size() >= kStep; bytes = bytes.subspan(kStep)) {
    sum ^= bytes[0] | uint32_t{bytes[1]} << 8 | uint32_t{bytes[2]} << 16 | uint32_t{bytes[3]} << 24;
    sum = t[3][sum & 255] ^ t[2][sum >> 8 & 255] ^ t[1][sum >> 16 & 255] ^ t[0][sum >> 24];
  }
  for (const uint8_t byte : bytes) sum = sum >> 8 ^ t[0][(sum ^ byte) & 255];
  return ~sum;
}

std::string crc32_text(uint32_t sum) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[sum >> shift & 15];
  return text;
}

}  // namespace minibert::infer

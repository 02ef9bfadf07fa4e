// The CRC-32 of zlib, PNG and Ethernet (polynomial 0xedb88320), implemented without a library.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace minibert::infer {

// `before`: the CRC-32 of the preceding bytes; 0: there are none.
uint32_t crc32(std::span<const uint8_t> bytes, uint32_t before = 0);

// Writes eight hexadecimal digits in lower case.
std::string crc32_text(uint32_t sum);

}  // namespace minibert::infer

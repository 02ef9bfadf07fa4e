// The CRC-32 of zlib, PNG and Ethernet (polynomial 0xedb88320), which the engine has without a library.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace minibert::infer {

uint32_t crc32(std::span<const uint8_t> bytes);

// The same as eight hexadecimal digits in lower case.
std::string crc32_text(std::span<const uint8_t> bytes);

}  // namespace minibert::infer

#pragma once

#include <string>

namespace minibert {

// Encodes bytes in base64 (RFC 4648), with padding.
std::string base64(const std::string& bytes);

}  // namespace minibert

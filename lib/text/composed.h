// Makes names equal that look equal.
#pragma once

#include <string>
#include <string_view>

namespace minibert {

// Returns valid UTF-8 in Unicode's composed form (NFC), which files from a Mac often lack, without
// the invisible characters U+200B, U+2060 and U+FEFF; U+00A0 becomes a space.
std::string composed(std::string_view text);

}  // namespace minibert

// Names that look alike made alike.
#pragma once

#include <string>
#include <string_view>

namespace minibert {

// Valid UTF-8 in Unicode's composed form (NFC), as files from a Mac are often not, and without characters that
// nobody sees: U+200B, U+2060, U+FEFF.
std::string composed(std::string_view text);

}  // namespace minibert

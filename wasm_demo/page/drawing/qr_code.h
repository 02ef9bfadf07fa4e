// The link as a QR code.
#pragma once

#include <string>

namespace minibert::page {

// The modules of the smallest code (ISO/IEC 18004, level L or better) that holds `text`: one line of
// '0' and '1' (dark) a row. Empty where no code can hold it (about 2,900 bytes).
std::string qr_code(const std::string& text);

}  // namespace minibert::page

// The Korean font of a page that opens offline.
#pragma once

#include <string>

namespace minibert {

// A CSS rule with those letters of Nanum Gothic (SIL OFL 1.1) that the UTF-8 text has, as WOFF2 made
// by fontTools; empty where the font or fontTools is not installed (fonts-nanum, python3-fonttools,
// python3-brotli).
std::string inline_font(const std::string& text);

}  // namespace minibert

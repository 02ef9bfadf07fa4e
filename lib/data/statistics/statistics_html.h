// Writes a data set's statistics as one page that opens offline.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert {

// Takes the table of data_statistics(). Draws every distribution's figures, histogram and box plot
// with the mean, and a cloud of words, as SVG without scripts. Letters come from inline_font(),
// else from the reader's fonts.
std::string statistics_html(const std::string& title, const nlohmann::json& table);

// Returns a CSS rule with the letters of Nanum Gothic (SIL OFL 1.1) that the UTF-8 text has, as
// WOFF2 made by fontTools; "" if the font or fontTools is not installed (fonts-nanum,
// python3-fonttools, python3-brotli).
std::string inline_font(const std::string& text);

}  // namespace minibert

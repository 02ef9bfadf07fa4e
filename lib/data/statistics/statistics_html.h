// A data set's statistics as one page that opens offline.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert {

// `table` as data_statistics() makes it: for every distribution its figures, a histogram and a box
// plot with the mean, for words a cloud. Drawn as SVG, without scripts, in the letters of
// inline_font(), else in the fonts of the machine that shows it.
std::string statistics_html(const std::string& title, const nlohmann::json& table);

// The Korean font of a page that opens offline: a CSS rule with those letters of Nanum Gothic (SIL OFL
// 1.1) that the UTF-8 text has, as WOFF2 made by fontTools; empty where the font or fontTools is not
// installed (fonts-nanum, python3-fonttools, python3-brotli).
std::string inline_font(const std::string& text);

}  // namespace minibert

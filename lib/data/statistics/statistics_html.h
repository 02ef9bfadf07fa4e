// Writes a data set's statistics as one page that opens offline.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert {

// Takes the table of data_statistics(). Draws every distribution's figures, histogram and box plot
// with the mean, and a cloud of words, as SVG without scripts. Letters come from the
// reader's fonts.
std::string statistics_html(const std::string& title, const nlohmann::json& table);

}  // namespace minibert

// Writes the report as one HTML file that opens offline.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert {

// The page's parts, below the program's folder.
inline constexpr char kReportAssets[] = "lib/report/page";

// Returns report.html of the folder `assets` with everything it names inserted: the folder's styles
// and scripts, Vega and Vega-Lite from its node_modules, and `data` (report_data.h) as JSON, gzip
// and base64. Throws Error naming a missing file.
std::string report_page(const nlohmann::json& data, const std::string& assets);

}  // namespace minibert

// The report as one HTML file that opens offline.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert {

// The page's parts, below the folder that has the program's files.
inline constexpr char kReportAssets[] = "lib/report/page";

// report.html of the folder `assets` with everything that it names put in its place: the styles and
// scripts of that folder, Vega and Vega-Lite of its node_modules, and `data` (report_data.h) as JSON,
// gzip and base64. Throws Error naming the file that is missing.
std::string report_page(const nlohmann::json& data, const std::string& assets);

}  // namespace minibert

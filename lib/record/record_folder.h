// Where a record lies: results/<folder>/<profile>/<arm>-s<seed>.h5.
#pragma once

#include <filesystem>
#include <string>

namespace minibert {

// The folder of results that holds, by experiment and profile, runs whose places shipped records have.
inline constexpr char kOwnRuns[] = "own";

// The folder of the run's experiment. A record that was moved there names another experiment.
inline std::string record_folder(const std::string& path) {
  return std::filesystem::path(path).parent_path().parent_path().filename().string();
}

}  // namespace minibert

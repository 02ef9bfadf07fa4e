// The folders of records: results/<folder>/<profile>/<arm>-s<seed>.h5.
#pragma once

#include <filesystem>
#include <string>

namespace minibert {

// The folder in results for a user's runs whose paths shipped records occupy.
inline constexpr char kOwnRuns[] = "own";

// Returns the folder of the experiment in a record's path. A moved record names another one.
inline std::string record_folder(const std::string& path) {
  return std::filesystem::path(path).parent_path().parent_path().filename().string();
}

}  // namespace minibert

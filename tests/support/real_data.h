// The real data ($MINIBERT_DATA), and what a test says that has to do without.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <iostream>
#include <string>

namespace minibert::testing {

// The real data's folder, or empty.
inline std::string data_folder() {
  const char* folder = std::getenv("MINIBERT_DATA");
  return folder == nullptr ? "" : folder;
}

// Whether the folder has `files`. Where it has not, a line that .setup/test.sh collects says that the test
// is skipped, or only its `part`.
inline bool has_real_data(std::initializer_list<const char*> files, const std::string& part = "") {
  const std::string folder = data_folder();
  std::string missing;
  for (const char* file : files)
    if (folder.empty() || !std::filesystem::exists(folder + "/" + file))
      missing += (missing.empty() ? "" : ", ") + std::string(file);
  if (missing.empty()) return true;
  // Not with WARN, which breaks lines.
  std::cout << "skipped: " << Catch::getResultCapture().getCurrentTestName()
            << (part.empty() ? "" : ", of it " + part) << " (needs " << missing
            << " in $MINIBERT_DATA)" << std::endl;
  return false;
}

}  // namespace minibert::testing

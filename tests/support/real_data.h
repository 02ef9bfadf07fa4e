// The real data ($MINIBERT_DATA), and the note of a test without it.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <iostream>
#include <string>

namespace minibert::testing {

// Returns the real data's folder, or "".
inline std::string data_folder() {
  const char* folder = std::getenv("MINIBERT_DATA");
  return folder == nullptr ? "" : folder;
}

// Returns true if the folder has `files`. Otherwise prints a line, which .setup/test.sh collects,
// that the test or its `part` is skipped.
inline bool has_real_data(std::initializer_list<const char*> files, const std::string& part = "") {
  const std::string folder = data_folder();
  std::string missing;
  for (const char* file : files)
    if (folder.empty() || !std::filesystem::exists(folder + "/" + file))
      missing += (missing.empty() ? "" : ", ") + std::string(file);
  if (missing.empty()) return true;
  // WARN would break the line.
  std::cout << "skipped: " << Catch::getResultCapture().getCurrentTestName()
            << (part.empty() ? "" : ", of it " + part) << " (needs " << missing
            << " in $MINIBERT_DATA)" << std::endl;
  return false;
}

}  // namespace minibert::testing

#include "core/shipped_files.h"

#include <filesystem>

namespace minibert {
namespace {

namespace fs = std::filesystem;

std::string& shipped_folder() {
  static std::string folder;
  return folder;
}

}  // namespace

void set_shipped_folder(const std::string& folder) { shipped_folder() = folder; }

std::string shipped_path(const std::string& path) {
  std::error_code error;
  if (path.empty() || shipped_folder().empty() || fs::path(path).is_absolute() ||
      fs::exists(path, error))
    return path;
  const fs::path shipped = fs::path(shipped_folder()) / path;
  return fs::exists(shipped, error) ? shipped.string() : path;
}

}  // namespace minibert

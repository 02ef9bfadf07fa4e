#include "core/temporary.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "core/files.h"

namespace minibert {
namespace {

// The pattern from which mkstemp and mkdtemp make a name.
std::string pattern() {
  return (std::filesystem::temp_directory_path() / "minibert-XXXXXX").string();
}

}  // namespace

Temporary Temporary::folder() {
  std::string path = pattern();
  if (mkdtemp(path.data()) == nullptr) throw system_error(path + ": cannot be made");
  return Temporary(std::move(path));
}

Temporary Temporary::file(std::string_view bytes) {
  std::string path = pattern();
  const int file = mkstemp(path.data());
  if (file < 0) throw system_error(path + ": cannot be made");
  close(file);
  Temporary made(std::move(path));
  write_file(made.path(), bytes);
  return made;
}

Temporary::~Temporary() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace minibert

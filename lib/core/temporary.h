// Temporary files and folders.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace minibert {

// A file or folder that the destructor removes with its contents.
class Temporary {
 public:
  // Takes over a path that exists or will.
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  // Create a new one in the system's temporary folder. Throw Error naming the path.
  static Temporary folder();
  static Temporary file(std::string_view bytes);

  Temporary(Temporary&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Temporary& operator=(Temporary&&) = delete;
  ~Temporary();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace minibert

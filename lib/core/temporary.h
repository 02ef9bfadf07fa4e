// Files and folders that are there for a while.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace minibert {

// A file or folder that goes with the object, with all that is in it.
class Temporary {
 public:
  // One that is there, or will be.
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  // New ones where the system has its temporary files. Throw Error naming the path.
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
